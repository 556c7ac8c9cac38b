import { z } from 'zod'
import { capabilityKeys } from '../capabilities.ts'
import { instantSchema } from './desk-common.ts'
import { reviewActions } from './releases.ts'

/** How a run in the sandbox ended. */
export const runEnds = [
  'exited',
  'trapped',
  'time-limit',
  'memory-limit',
  'output-limit',
  /** It wants more memory to begin with than a run here gets, or what it is cannot be run. */
  'not-run',
] as const
export type RunEnd = (typeof runEnds)[number]

const sha256Schema = z.string().regex(/^[a-f0-9]{64}$/)

/** What a run gets at most. */
export const runLimitsSchema = z.strictObject({
  timeMs: z.int().min(1).max(600_000),
  memoryBytes: z.int().min(65_536).max(4_294_967_296),
  outputBytes: z.int().min(1).max(67_108_864),
})
export type RunLimits = z.infer<typeof runLimitsSchema>

export const observedRunSchema = z.strictObject({
  /** Counts the manifest's examples from 0. */
  example: z.int().min(0).max(2),
  end: z.enum(runEnds),
  exitCode: z.int().min(0).max(4_294_967_295).nullable(),
  stdoutSha256: sha256Schema,
  stdoutBytes: z.int().min(0).max(67_108_864),
  stderrBytes: z.int().min(0).max(67_108_864),
  timeMs: z.number().min(0).max(600_000),
  peakMemoryBytes: z.int().min(0).max(4_294_967_296),
  /** Functions of preview 1 that it called, each once, with how often. */
  calls: z
    .array(z.strictObject({ name: z.string().min(1).max(64), count: z.int().min(1) }))
    .max(64)
    .refine(
      (calls) => new Set(calls.map(({ name }) => name)).size === calls.length,
      'must name each function once',
    ),
  /** What a trap or a refusal says. */
  detail: z.string().max(300).nullable(),
})
export type ObservedRun = z.infer<typeof observedRunSchema>

/** What a reviewer's browser saw: a statement of the reviewer's, on which nothing of the server depends. */
export const observationSchema = z
  .strictObject({
    /** Of the bytes that ran. */
    sha256: sha256Schema,
    /** Version of the checks and of the sandbox. */
    checks: z.string().min(1).max(20),
    ranAt: instantSchema,
    limits: runLimitsSchema,
    runs: z.array(observedRunSchema).min(1).max(3),
  })
  .meta({ id: 'Observation' })
export type Observation = z.infer<typeof observationSchema>

/** The same with the server's verdict: ended by itself with 0, and the digest of the output is the declared one's. */
export const statedRunSchema = z.strictObject({ ...observedRunSchema.shape, passed: z.boolean() })
export type StatedRun = z.infer<typeof statedRunSchema>

/** What stands behind a decision that was made in the desk. */
export const evidenceSchema = z.strictObject({
  /** What the reviewer ticked as seen: the growth of capability at that moment. */
  growthSeen: z.array(z.enum(capabilityKeys)),
  /** Ids of checks with their findings that were open when it was decided. */
  openFindings: z.array(z.string()),
  observation: z.strictObject({ ...observationSchema.shape, runs: z.array(statedRunSchema) }).nullable(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** A decision with what it was made on, as it is published. */
export const reviewStatementSchema = z
  .strictObject({
    action: z.enum(reviewActions),
    notes: z.string(),
    decidedBy: z.string(),
    decidedAt: instantSchema,
    sha256: sha256Schema,
    /** Whether it is an approval by the release's own publisher. */
    selfApproved: z.boolean(),
    /** Null where it was made without the desk: no evidence given. */
    evidence: evidenceSchema.nullable(),
  })
  .meta({ id: 'ReviewStatement' })
export type ReviewStatement = z.infer<typeof reviewStatementSchema>
