import { channel } from 'node:diagnostics_channel'
import { z } from 'zod'
import { attestationKeySchema, envelopeSchema } from '../../shared/contracts/attestations.ts'
import { postContentSchema, projectContentSchema } from '../../shared/contracts/content.ts'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { evidenceSchema, provenanceSchema } from '../../shared/contracts/evidence.ts'
import { findingSchema, growthSchema } from '../../shared/contracts/findings.ts'
import { registryVersionSchema } from '../../shared/contracts/releases.ts'
import { skillManifestSchema } from '../../shared/contracts/manifest.ts'
import { messageAboutSchema } from '../../shared/contracts/thread.ts'
import { jobIdentitySchema, pinsSchema } from '../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../shared/errors.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'

/** Shared, because each decoder holds memory outside of the garbage-collected heap. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A column that contains JSON, as text or as UTF-8 bytes. */
function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .union([z.string(), z.instanceof(Uint8Array)])
    .transform((text, context): unknown => {
      try {
        return JSON.parse(typeof text === 'string' ? text : utf8.decode(text))
      } catch {
        context.addIssue('is not JSON')
        return z.NEVER
      }
    })
    .pipe(schema)
}

const evidence = jsonText(evidenceSchema)
const findings = jsonText(z.array(findingSchema))
const postContent = jsonText(postContentSchema)
const provenance = jsonText(provenanceSchema)

/** Every column that contains JSON. `verify` and the readers share these schemas. */
export const storedJson = {
  'decision_evidence.evidence': evidence,
  'decision_findings.findings': findings,
  'first_approvals.evidence': evidence,
  'held_decisions.evidence': evidence,
  /** The row of an event of the audit log that is not in the transparency log. */
  'history.details': jsonText(
    z.strictObject({ row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) }),
  ),
  'mirror.keys': jsonText(z.array(attestationKeySchema)),
  'mirror.rotations': jsonText(z.array(envelopeSchema)),
  'mirrored_releases.envelope': jsonText(envelopeSchema),
  'post_versions.content': postContent,
  'posts.content': postContent,
  'projects.content': jsonText(projectContentSchema),
  'release_bodies.body': jsonText(registryVersionSchema),
  'release_checks.findings': findings,
  'release_checks.growth': jsonText(growthSchema),
  'release_manifests.manifest': jsonText(skillManifestSchema),
  /** Facts stored by an earlier version have no details. */
  'release_modules.facts': jsonText(
    z.strictObject({
      ...moduleFactsSchema.shape,
      details: moduleFactsSchema.shape.details.default(null),
    }),
  ),
  'release_provenance.provenance': provenance,
  'review_messages.about': jsonText(messageAboutSchema),
  'token_exchanges.provenance': provenance,
  'trusted_publishers.identity': jsonText(jobIdentitySchema),
  'trusted_publishers.pins': jsonText(pinsSchema),
} as const

export type JsonColumn = keyof typeof storedJson

/** A list of names within a column. */
export const storedNames = jsonText(z.array(z.string()))

/** The location of an unreadable stored value. */
export interface CorruptValue {
  /** `table.column`, or the table if several columns are read together. */
  place: string
  id: number | string
  reason: string
}

/** The server subscribes to this channel (`watchCorruptValues`), so that readers need no log of their own. */
export const corruptValueChannel = channel('skilldock:corrupt-value')

/** Parses a stored value; an invalid one is null and is published on the channel. */
export function readStored<Schema extends z.ZodType>(
  schema: Schema,
  place: string,
  id: number | string,
  value: unknown,
): z.output<Schema> | null {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const corrupt: CorruptValue = { place, id, reason: summarize(toIssues(result.error)) }
  corruptValueChannel.publish(corrupt)
  return null
}

/** The same for a column with JSON. Null stays null and is not reported. */
export function readJson<Column extends JsonColumn>(
  column: Column,
  id: number | string,
  text: string | Uint8Array | null,
): z.output<(typeof storedJson)[Column]> | null {
  if (text === null) return null
  const schema: (typeof storedJson)[Column] = storedJson[column]
  return readStored(schema, column, id, text) as z.output<(typeof storedJson)[Column]> | null
}

/** The same for a list of names, such as the imports in a module's facts. */
export const readNames = (column: JsonColumn, id: number | string, text: string | null): string[] | null =>
  text === null ? null : readStored(storedNames, column, id, text)

/** The error for a request that needs a damaged value; `skilldock verify` reports the value. */
export function damaged(code: 'PACKAGE_CORRUPT' | 'STORAGE_UNAVAILABLE', what: string): DomainError {
  return new DomainError(code, unavailableTexts.damaged(what), { retryAfter: 3600 })
}
