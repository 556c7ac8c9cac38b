import { z } from 'zod'
import { runEnds } from '../../shared/contracts/evidence.ts'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { findingSchema } from '../../shared/contracts/findings.ts'

// The child's answers are validated like any untrusted input, because it has processed an untrusted module.

const count = z.int().min(0)

const snapshotShape = {
  calls: z.array(z.strictObject({ name: z.string().max(64), count, refused: count })).max(64),
  paths: z.array(z.strictObject({ name: z.string().max(64), path: z.string().max(300) })).max(20),
  peakMemoryBytes: count,
  stdoutBytes: count,
  stderrBytes: count,
}

/** The state of a run in progress. */
export const runSnapshotSchema = z.strictObject(snapshotShape)

/** The result of a run. Its output was sent before. */
export const runResultSchema = z.strictObject({
  ...snapshotShape,
  end: z.enum(runEnds),
  exitCode: z.int().min(0).max(4_294_967_295).nullable(),
  detail: z.string().max(300).nullable(),
  timeMs: z.number().min(0),
  clamped: z.boolean(),
})

/** The result of inspecting a module. */
export const inspectionSchema = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    module: moduleFactsSchema,
    findings: z.array(findingSchema).max(60),
  }),
  z.strictObject({
    ok: z.literal(false),
    problems: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .min(1)
      .max(40),
    findings: z.array(findingSchema).max(60),
  }),
])
export type Inspection = z.infer<typeof inspectionSchema>
