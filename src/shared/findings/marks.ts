// Separate from the schemas, so that the process which scans modules starts without Zod.

/** `path`: of a sensitive file; `program`: another program or archive; `opaque`: data that looks random. */
export const markKinds = ['address', 'ip', 'base64', 'path', 'secret', 'program', 'opaque'] as const
export type MarkKind = (typeof markKinds)[number]

/** Distinct marks per kind that are shown. The total and the digest cover all of them. */
export const shownMarks = 8
/** UTF-16 units of a mark's text. */
export const longestMarkText = 160
