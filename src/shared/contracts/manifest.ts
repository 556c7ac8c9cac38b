import { z } from 'zod'
import { texts } from '../validation.texts.ts'
import { optionalText, requiredText, storedText } from './text-schemas.ts'

/** Section 8: limits of the manifest part, in characters and in bytes of UTF-8. */
export const maxManifestCharacters = 25_000
export const maxManifestBytes = 25_600

export const namePattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const versionPattern = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/

export const skillNameSchema = z.string().max(64).regex(namePattern, texts.name)

export const versionSchema = z.string().max(32).regex(versionPattern, texts.version)

export const categories = ['Validators', 'Parsers', 'Transformers', 'Calculators', 'Data', 'Other'] as const

const manifestWith = (text: typeof storedText) =>
  z.strictObject({
    schemaVersion: z.literal(1),
    name: skillNameSchema,
    version: versionSchema,
    description: text(10, 500),
    readme: text(20, 20_000),
    inputs: text(10, 2000),
    outputs: text(10, 2000),
    examples: z
      .array(z.strictObject({ input: optionalText(2000), output: optionalText(2000) }))
      .min(1)
      .max(3),
    license: text(1, 100),
    category: z.enum(categories),
    runtime: z.literal('wasip1-command'),
    entrypoint: z.literal('_start'),
    pricing: z.literal('free'),
  })

/** Section 2.1, as stored and returned. */
export const skillManifestSchema = manifestWith(storedText).meta({ id: 'SkillManifest' })

/** Section 2.1, as submitted. */
export const submittedManifestSchema = manifestWith(requiredText)

export type SkillManifest = z.infer<typeof skillManifestSchema>
