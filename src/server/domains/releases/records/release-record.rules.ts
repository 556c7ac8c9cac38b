import { z } from 'zod'
import { provenanceSchema } from '../../../../shared/contracts/evidence.ts'
import { maxPackageBytes, minPackageBytes } from '../../../../shared/contracts/releases.ts'
import { reviewActions } from '../../../../shared/contracts/decisions.ts'

const id = z.int().min(1)
const time = z.iso.datetime()

/** The issuer of people whom a mirror knows from another registry. They can't sign in. */
export const mirrorIssuer = 'mirror'

const personSchema = z.strictObject({
  id,
  issuer: z.string(),
  subject: z.string(),
  name: z.string().nullable(),
  createdAt: time,
  removedAt: time.nullable(),
})

/** A person who owns or owned the name. */
const ownerSchema = z.strictObject({
  person: personSchema,
  since: time,
  addedBy: personSchema,
  reason: z.string().nullable(),
  endedAt: time.nullable(),
  endedBy: personSchema.nullable(),
})

const recordSchema = z.strictObject({
  format: z.literal('skilldock-release'),
  formatVersion: z.literal(2),
  id,
  name: z.string(),
  version: z.string(),
  sha256: z.string().regex(/^[a-f0-9]{64}$/),
  size: z.int().min(minPackageBytes).max(maxPackageBytes),
  createdAt: time,
  /** The stored manifest, byte for byte. */
  manifest: z.string(),
  /** The publisher. */
  owner: personSchema,
  /** Only if it came by trusted publishing. */
  provenance: provenanceSchema.optional(),
  /** Only if there are any. */
  firstApprovals: z
    .array(
      z.strictObject({
        reason: z.string(),
        approvedBy: personSchema,
        approvedAt: time,
        /** The stored evidence, byte for byte. */
        evidence: z.string().nullable(),
        withdrawnAt: time.nullable(),
      }),
    )
    .optional(),
  /** The current and former owners of the name, in the order in which they were added. */
  owners: z.array(ownerSchema),
  decisions: z.array(
    z.strictObject({
      action: z.enum(reviewActions),
      reason: z.string(),
      decidedBy: personSchema,
      decidedAt: time,
      /** The stored evidence, byte for byte. */
      evidence: z.string().nullable(),
      /** Only if its reason is in the advisories. */
      publishReason: z.literal(true).optional(),
    }),
  ),
  /** Only if there are any. */
  deprecations: z
    .array(
      z.strictObject({
        reason: z.string(),
        successor: z.string().nullable(),
        deprecatedBy: personSchema,
        deprecatedAt: time,
        withdrawnBy: personSchema.nullable(),
        withdrawnAt: time.nullable(),
      }),
    )
    .optional(),
})

/** Written before names had several owners. */
const formerRecordSchema = recordSchema
  .omit({ owners: true })
  .extend({ formatVersion: z.literal(1) })
  .transform((record) => ({ ...record, formatVersion: 2 as const, owners: [] }))

/** Everything that is known about a release without the database, except for its package. */
export type ReleaseRecord = z.infer<typeof recordSchema>
export type RecordedPerson = z.infer<typeof personSchema>
export type RecordedOwner = z.infer<typeof ownerSchema>

/** Maximum size of a file with a record. */
export const maxRecordBytes = 8 * 1024 * 1024

/** The text of the signed note with this record: one line of JSON. */
export function formatRecord(record: ReleaseRecord): string {
  const json = JSON.stringify(record)
  // A note must not contain control characters, and JSON escapes only some of them.
  return `${json.replaceAll(/[\u007F-\u009F]/g, escape)}\n`
}

function escape(character: string): string {
  return String.raw`\u00${character.charCodeAt(0).toString(16)}`
}

/** Null if the text is not a record of this format. */
export function parseRecord(text: string): ReleaseRecord | null {
  try {
    return z.union([recordSchema, formerRecordSchema]).parse(JSON.parse(text))
  } catch {
    return null
  }
}

export function recordFileName(releaseId: number): string {
  return `${releaseId}.note`
}

/** The release of a file in the folder with the records; null for other files. */
export function releaseOfRecord(fileName: string): number | null {
  const digits = /^([1-9]\d{0,14})\.note$/.exec(fileName)?.[1]
  return digits === undefined ? null : Number(digits)
}
