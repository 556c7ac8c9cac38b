import { z } from 'zod'
import { capabilityKeys } from '../capabilities.ts'
import { instantSchema } from './desk-common.ts'
import { reviewActions } from './decisions.ts'
import { texts } from '../validation.texts.ts'

/** How a test run in the sandbox ended. */
export const runEnds = [
  'exited',
  'trapped',
  'time-limit',
  'memory-limit',
  'output-limit',
  /** Its initial memory exceeds the limit of a test run, or the module can't be run at all. */
  'not-run',
] as const
export type RunEnd = (typeof runEnds)[number]

const sha256Schema = z.string().regex(/^[a-f0-9]{64}$/)

/** The limits of a test run. */
const runLimitsSchema = z.strictObject({
  timeMs: z.int().min(1).max(600_000),
  memoryBytes: z.int().min(65_536).max(4_294_967_296),
  outputBytes: z.int().min(1).max(67_108_864),
})
export type RunLimits = z.infer<typeof runLimitsSchema>

const observedRunSchema = z.strictObject({
  /** Index of the example in the manifest, from 0. */
  example: z.int().min(0).max(2),
  end: z.enum(runEnds),
  exitCode: z.int().min(0).max(4_294_967_295).nullable(),
  stdoutSha256: sha256Schema,
  stdoutBytes: z.int().min(0).max(67_108_864),
  stderrBytes: z.int().min(0).max(67_108_864),
  timeMs: z.number().min(0).max(600_000),
  peakMemoryBytes: z.int().min(0).max(4_294_967_296),
  /** WASI preview 1 functions that the module called, with the number of calls. */
  calls: z
    .array(z.strictObject({ name: z.string().min(1).max(64), count: z.int().min(1) }))
    .max(64)
    .refine((calls) => new Set(calls.map(({ name }) => name)).size === calls.length, texts.repeatedFunction),
  /** The message of a trap, details of a memory or output limit that was reached, or why the module wasn't run. */
  detail: z.string().max(300).nullable(),
})
export type ObservedRun = z.infer<typeof observedRunSchema>

/** What a test run in the reviewer's browser recorded. The server can't verify it and doesn't rely on it. */
export const observationSchema = z
  .strictObject({
    /** Digest of the module that ran. */
    sha256: sha256Schema,
    /** Version of the checks and of the sandbox. */
    checks: z.string().min(1).max(20),
    ranAt: instantSchema,
    limits: runLimitsSchema,
    runs: z.array(observedRunSchema).min(1).max(3),
  })
  .meta({ id: 'Observation' })
export type Observation = z.infer<typeof observationSchema>

/**
 * A run with the server's result: it passed if it exited with 0 and its output has the digest of the expected output.
 */
const evaluatedRunSchema = z.strictObject({ ...observedRunSchema.shape, passed: z.boolean() })
export type EvaluatedRun = z.infer<typeof evaluatedRunSchema>

/** The evidence for a decision that was made in the desk. */
export const evidenceSchema = z.strictObject({
  /** The new capabilities that the reviewer confirmed. */
  growthSeen: z.array(z.enum(capabilityKeys)),
  /** Ids of the checks whose findings were open at the time of the decision. */
  openFindings: z.array(z.string()),
  observation: z.strictObject({ ...observationSchema.shape, runs: z.array(evaluatedRunSchema) }).nullable(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** The first approval of a release that needed two. */
export const firstApprovalSchema = z
  .strictObject({
    approvedBy: z.string(),
    approvedAt: instantSchema,
    notes: z.string(),
    /** Null for an approval made through the API, without the desk. */
    evidence: evidenceSchema.nullable(),
  })
  .meta({ id: 'FirstApproval' })

/** Where a release that came by trusted publishing was built, as its job's identity token said. */
export const provenanceSchema = z
  .strictObject({
    issuer: z.string(),
    subject: z.string(),
    repository: z.string().nullable(),
    workflow: z.string().nullable(),
    /** The branch or tag. */
    ref: z.string().nullable(),
    commit: z.string().nullable(),
    /** The id of the run or pipeline. */
    run: z.string().nullable(),
  })
  .meta({ id: 'Provenance' })
export type Provenance = z.infer<typeof provenanceSchema>

/** A decision with its evidence, as published. */
export const reviewStatementSchema = z
  .strictObject({
    action: z.enum(reviewActions),
    notes: z.string(),
    decidedBy: z.string(),
    decidedAt: instantSchema,
    sha256: sha256Schema,
    /** Whether the publisher approved their own release, alone or as one of two. */
    selfApproved: z.boolean(),
    /** Null for a decision made through the API, without the desk. */
    evidence: evidenceSchema.nullable(),
    /** Only if two people approved the release. */
    firstApproval: firstApprovalSchema.optional(),
    /** Only if the release came by trusted publishing. */
    provenance: provenanceSchema.optional(),
  })
  .meta({ id: 'ReviewStatement' })
export type ReviewStatement = z.infer<typeof reviewStatementSchema>
