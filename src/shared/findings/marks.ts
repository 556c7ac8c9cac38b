// Apart from the schemas, so that the process which scans modules starts without a parser.

/** `path` is one that a program has no business with, `program` another program or archive, `opaque` what looks random. */
export const markKinds = ['address', 'ip', 'base64', 'path', 'secret', 'program', 'opaque'] as const
export type MarkKind = (typeof markKinds)[number]

/** How many different marks of a kind are shown; its total and its digest are of all. */
export const shownMarks = 8
/** UTF-16 units of a mark's text. */
export const longestMarkText = 160
