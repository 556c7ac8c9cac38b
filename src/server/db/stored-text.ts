import { z } from 'zod'
import { postContentSchema, projectContentSchema } from '../../shared/contracts/content.ts'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { evidenceSchema } from '../../shared/contracts/evidence.ts'
import { findingSchema, growthSchema } from '../../shared/contracts/findings.ts'
import { registryVersionSchema, skillManifestSchema } from '../../shared/contracts/releases.ts'

/** A column with JSON text in it, as text or as bytes of UTF-8. */
function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .union([z.string(), z.instanceof(Uint8Array)])
    .transform((text, context): unknown => {
      try {
        return JSON.parse(
          typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text),
        )
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
