import { z } from 'zod'
import { isBlank } from '../text.ts'
import { texts } from '../validation.texts.ts'

/**
 * Required text as every version of Skilldock has stored it: trimmed before its length is checked (rulings,
 * "Trimming"). Unpaired surrogates are rejected because strict JSON parsers reject a whole document that contains one.
 */
export function storedText(min: number, max: number): z.ZodString {
  return wellFormed(z.string().trim()).min(min).max(max)
}

/**
 * `storedText` for input: also rejects text made only of invisible characters. Earlier versions accepted such text, so
 * stored values and responses are parsed with `storedText`.
 */
export function requiredText(min: number, max: number): z.ZodString {
  return storedText(min, max).refine((value) => value === '' || !isBlank(value), texts.blank)
}

/** Text that may be empty, stored without trimming. */
export function optionalText(max: number): z.ZodString {
  return wellFormed(z.string()).max(max)
}

/** For values that are stored without trimming, such as paths: `.refine(...notBlank)`. */
export const notBlank = [(value: string): boolean => !isBlank(value), texts.blank] as const

const wellFormed = (schema: z.ZodString): z.ZodString =>
  schema.refine((value) => value.isWellFormed(), texts.surrogate)
