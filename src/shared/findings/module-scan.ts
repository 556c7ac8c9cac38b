import { z } from 'zod'

/** `path` is one that a program has no business with, `program` another program or archive, `opaque` what looks random. */
export const markKinds = ['address', 'ip', 'base64', 'path', 'secret', 'program', 'opaque'] as const
export type MarkKind = (typeof markKinds)[number]

/** How many different marks of a kind are shown; its total and its digest are of all. */
export const shownMarks = 8
/** UTF-16 units of a mark's text. */
export const longestMarkText = 160

/** Something in the data of a module that is worth a look. */
const markSchema = z.object({
  /** Bytes from the beginning of the file. */
  offset: z.int().min(0),
  length: z.int().min(0),
  /** What it says, or what it is; fit to be shown. */
  text: z.string().max(longestMarkText + 1),
})
export type Mark = z.infer<typeof markSchema>

const marksSchema = z.object({
  total: z.int().min(0),
  /** Changes with any of them; empty where there is none. */
  digest: z.string().regex(/^(?:[a-f0-9]{32})?$/),
  shown: z.array(markSchema).max(shownMarks),
})
export type Marks = z.infer<typeof marksSchema>

/** What a scan of a module's data found; some kilobytes whatever the data holds. */
export const moduleScanSchema = z.object({
  address: marksSchema,
  ip: marksSchema,
  base64: marksSchema,
  path: marksSchema,
  secret: marksSchema,
  program: marksSchema,
  opaque: marksSchema,
}) satisfies z.ZodType<Record<MarkKind, Marks>>
export type ModuleScan = z.infer<typeof moduleScanSchema>
