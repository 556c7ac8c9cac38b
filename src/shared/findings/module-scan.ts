import { z } from 'zod'
import { longestMarkText, shownMarks } from './marks.ts'
import type { MarkKind } from './marks.ts'

/** Something suspicious in a module's data. */
const markSchema = z.object({
  /** In bytes from the start of the file. */
  offset: z.int().min(0),
  length: z.int().min(0),
  /** Its text or what it is, in printable characters. */
  text: z.string().max(longestMarkText + 1),
})
export type Mark = z.infer<typeof markSchema>

const marksSchema = z.object({
  total: z.int().min(0),
  /** Changes if any mark changes; empty without marks. */
  digest: z.string().regex(/^(?:[a-f0-9]{32})?$/),
  shown: z.array(markSchema).max(shownMarks),
})
export type Marks = z.infer<typeof marksSchema>

/** The result of scanning a module's data. A few kilobytes at most. */
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
