import { channel } from 'node:diagnostics_channel'
import { z } from 'zod'
import { attestationKeySchema, envelopeSchema } from '../../shared/contracts/attestations.ts'
import { postContentSchema, projectContentSchema } from '../../shared/contracts/content.ts'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { evidenceSchema, provenanceSchema } from '../../shared/contracts/evidence.ts'
import { findingSchema, growthSchema } from '../../shared/contracts/findings.ts'
import { registryVersionSchema, skillManifestSchema } from '../../shared/contracts/releases.ts'
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

/** Every kind of JSON in a column. `verify` and the readers share these schemas. */
export const storedText = {
  attestationKeys: jsonText(z.array(attestationKeySchema)),
  /** The row of an event of the audit log that is not in the transparency log. */
  auditDetails: jsonText(
    z.strictObject({ row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) }),
  ),
  body: jsonText(registryVersionSchema),
  envelope: jsonText(envelopeSchema),
  envelopes: jsonText(z.array(envelopeSchema)),
  evidence: jsonText(evidenceSchema),
  /** Facts stored by an earlier version have no details. */
  facts: jsonText(
    z.strictObject({
      ...moduleFactsSchema.shape,
      details: moduleFactsSchema.shape.details.default(null),
    }),
  ),
  findings: jsonText(z.array(findingSchema)),
  growth: jsonText(growthSchema),
  jobIdentity: jsonText(jobIdentitySchema),
  manifest: jsonText(skillManifestSchema),
  messageAbout: jsonText(messageAboutSchema),
  names: jsonText(z.array(z.string())),
  pins: jsonText(pinsSchema),
  postContent: jsonText(postContentSchema),
  projectContent: jsonText(projectContentSchema),
  provenance: jsonText(provenanceSchema),
} as const

type Kind = keyof typeof storedText

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

/** The same for a column with JSON of a known kind. Null stays null and is not reported. */
export function readStoredText<Name extends Kind>(
  kind: Name,
  place: string,
  id: number | string,
  text: string | Uint8Array | null,
): z.output<(typeof storedText)[Name]> | null {
  if (text === null) return null
  const schema: (typeof storedText)[Name] = storedText[kind]
  return readStored(schema, place, id, text) as z.output<(typeof storedText)[Name]> | null
}

/** The error for a request that needs a damaged value; `skilldock verify` reports the value. */
export function damaged(code: 'PACKAGE_CORRUPT' | 'STORAGE_UNAVAILABLE', what: string): DomainError {
  return new DomainError(code, unavailableTexts.damaged(what), { retryAfter: 3600 })
}
