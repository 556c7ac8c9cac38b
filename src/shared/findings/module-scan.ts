import { z } from 'zod'
import { longestMarkText, shownMarks } from './marks.ts'
import type { MarkKind } from './marks.ts'

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
