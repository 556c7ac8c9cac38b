import { z } from 'zod'
import { capabilityKeys } from '../capabilities.ts'
import { instantSchema } from './desk-common.ts'

export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

/** Where a finding is: a manifest field (`examples.0.input`), a byte range of the module, or the module as a whole. */
const findingPlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('field'), field: z.string().max(100) }),
  z.strictObject({ kind: z.literal('bytes'), offset: z.int().min(0), length: z.int().min(0) }),
  z.strictObject({ kind: z.literal('module') }),
])
export type FindingPlace = z.infer<typeof findingPlaceSchema>

/**
 * Identifies a finding across versions for as long as its content is unchanged; a dismissal applies as long. 128 bits,
 * because a publisher controls both sides of a possible collision: the harmless version and a malicious one.
 */
export const fingerprintSchema = z.string().regex(/^[a-f0-9]{32}$/)

/** The stable id of a check: `name-near`, `import-unused`. */
export const checkIdSchema = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)

export const findingSchema = z
  .strictObject({
    check: checkIdSchema,
    severity: z.enum(severities),
    place: findingPlaceSchema,
    title: z.string().max(120),
    reason: z.string().max(500),
    advice: z.string().max(300).describe('What a reviewer can do about it.'),
    fingerprint: fingerprintSchema,
  })
  .meta({ id: 'Finding' })
export type Finding = z.infer<typeof findingSchema>

export const judgementSchema = z.strictObject({
  id: z.int(),
  reason: z.string(),
  judgedBy: z.string(),
  judgedAt: instantSchema,
  /** The version of the release that the finding was dismissed in. */
  version: z.string(),
})
export type Judgement = z.infer<typeof judgementSchema>

export const judgedFindingSchema = z
  .strictObject({ ...findingSchema.shape, judgement: judgementSchema.nullable() })
  .meta({ id: 'JudgedFinding' })
export type JudgedFinding = z.infer<typeof judgedFindingSchema>

/** New capabilities: what a release imports that the last approved release did not. */
export const growthSchema = z.strictObject({
  /** The approved release used for comparison; null if the skill has none. */
  base: z.strictObject({ id: z.int(), version: z.string() }).nullable(),
  /** Empty without a base: all capabilities of a first submission are new. */
  capabilities: z.array(z.enum(capabilityKeys)),
  functions: z.array(z.string()),
})
export type Growth = z.infer<typeof growthSchema>

export const releaseChecksSchema = z
  .strictObject({
    version: z.string().describe('The version of the checks.'),
    /** The number of checks in that version. */
    count: z.int(),
    checkedAt: instantSchema,
    /** Open findings first, then by severity. */
    findings: z.array(judgedFindingSchema),
    /** Dismissals of findings that only the desk reports, because they need a test run. */
    observed: z.array(z.strictObject({ fingerprint: fingerprintSchema, judgement: judgementSchema })),
    growth: growthSchema,
  })
  .meta({ id: 'ReleaseChecks' })
export type ReleaseChecks = z.infer<typeof releaseChecksSchema>
