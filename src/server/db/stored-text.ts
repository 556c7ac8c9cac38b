import { channel } from 'node:diagnostics_channel'
import { z } from 'zod'
import { postContentSchema, projectContentSchema } from '../../shared/contracts/content.ts'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { evidenceSchema } from '../../shared/contracts/evidence.ts'
import { findingSchema, growthSchema } from '../../shared/contracts/findings.ts'
import { registryVersionSchema, skillManifestSchema } from '../../shared/contracts/releases.ts'
import { DomainError } from '../../shared/errors.ts'
import { summarize, toIssues } from '../../shared/validation.ts'

/** One for all: each decoder holds memory outside the heap, which the collector knows nothing of. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A column with JSON text in it, as text or as bytes of UTF-8. */
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

/** Every kind of JSON that a column can hold. `verify` and the reader of stored text share these schemas. */
export const storedText = {
  body: jsonText(registryVersionSchema),
  evidence: jsonText(evidenceSchema),
  /** Facts that were stored by an earlier version have no details. */
  facts: jsonText(
    z.strictObject({
      ...moduleFactsSchema.shape,
      details: moduleFactsSchema.shape.details.default(null),
    }),
  ),
  findings: jsonText(z.array(findingSchema)),
  growth: jsonText(growthSchema),
  manifest: jsonText(skillManifestSchema),
  names: jsonText(z.array(z.string())),
  postContent: jsonText(postContentSchema),
  projectContent: jsonText(projectContentSchema),
} as const

type Kind = keyof typeof storedText

/** Where a stored value was found that nobody can read. */
export interface CorruptValue {
  /** `table.column`, or the table where several columns are read together. */
  place: string
  id: number | string
  reason: string
}

/** Whoever runs the server listens here (`createCorruptValues`); readers need no log of their own. */
export const corruptValueChannel = channel('skilldock:corrupt-value')

/** A value that was stored, as its schema has it; null, and told on the channel, where it does not fit. */
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

/** The same for a column with JSON of a known kind. A column that is null is null without any fault. */
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

/** Refuses what cannot be answered without a value that is damaged; `skilldock verify` names that. */
export function damaged(code: 'PACKAGE_CORRUPT' | 'STORAGE_UNAVAILABLE', what: string): DomainError {
  return new DomainError(
    code,
    `What is stored about ${what} is damaged on this server and is not served. Contact the registry's administrator.`,
    { retryAfter: 3600 },
  )
}
