import { z } from 'zod'
import { capabilityKeys } from '../capabilities.ts'
import { instantSchema } from './desk-common.ts'

export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

/** Where a finding is: a field of the manifest (`examples.0.input`), a range of the module's bytes, or the whole. */
export const findingPlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('field'), field: z.string().max(100) }),
  z.strictObject({ kind: z.literal('bytes'), offset: z.int().min(0), length: z.int().min(0) }),
  z.strictObject({ kind: z.literal('module') }),
])
export type FindingPlace = z.infer<typeof findingPlaceSchema>

/**
 * Stays the same while what was found has not changed, across versions; a judgement holds as long. 128 bits,
 * because whoever publishes makes both the harmless version and the one that must not pass for it.
 */
export const fingerprintSchema = z.string().regex(/^[a-f0-9]{32}$/)

/** The stable id of a check: `name-near`, `import-unused`. */
export const checkIdSchema = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)

/** What a check has found. */
export const findingSchema = z
  .strictObject({
    check: checkIdSchema,
    severity: z.enum(severities),
    place: findingPlaceSchema,
    title: z.string().max(120),
    reason: z.string().max(500),
    advice: z.string().max(300).describe('What to do about it.'),
    fingerprint: fingerprintSchema,
  })
  .meta({ id: 'Finding' })
export type Finding = z.infer<typeof findingSchema>

export const judgementSchema = z.strictObject({
  id: z.int(),
  reason: z.string(),
  judgedBy: z.string(),
  judgedAt: instantSchema,
  /** Of the release that it was made for. */
  version: z.string(),
})
export type Judgement = z.infer<typeof judgementSchema>

export const judgedFindingSchema = z
  .strictObject({ ...findingSchema.shape, judgement: judgementSchema.nullable() })
  .meta({ id: 'JudgedFinding' })
export type JudgedFinding = z.infer<typeof judgedFindingSchema>

/** What a release can do that the approved one before it could not. */
export const growthSchema = z.strictObject({
  /** The approved release that it is compared with; null where nothing of the name is approved. */
  base: z.strictObject({ id: z.int(), version: z.string() }).nullable(),
  /** Empty without a base: everything of a first submission is new. */
  capabilities: z.array(z.enum(capabilityKeys)),
  functions: z.array(z.string()),
})
export type Growth = z.infer<typeof growthSchema>

export const releaseChecksSchema = z
  .strictObject({
    version: z.string().describe('Of the checks.'),
    /** How many checks there are in that version. */
    count: z.int(),
    checkedAt: instantSchema,
    /** Open ones first, worst first. */
    findings: z.array(judgedFindingSchema),
    /** Judgements that stand of findings that only a desk sees, because the examples have to run for them. */
    observed: z.array(z.strictObject({ fingerprint: fingerprintSchema, judgement: judgementSchema })),
    growth: growthSchema,
  })
  .meta({ id: 'ReleaseChecks' })
export type ReleaseChecks = z.infer<typeof releaseChecksSchema>
