import { z } from 'zod'
import { isBlank } from '../text.ts'

/**
 * Text that has to be there, as every version has stored it: trimmed before its length is checked (rulings,
 * "Trimming"). Half of a surrogate pair is refused, because strict JSON readers refuse a whole document that holds one.
 */
export function storedText(min: number, max: number): z.ZodString {
  return wellFormed(z.string().trim()).min(min).max(max)
}

/**
 * The same for input, where a text of nothing but characters that show nothing is refused. Earlier versions accepted
 * such texts, so anything that is stored or answered is read with `storedText`.
 */
export function requiredText(min: number, max: number): z.ZodString {
  return storedText(min, max).refine((value) => value === '' || !isBlank(value), 'must not be blank')
}

/** Text that may be empty, stored as it was written. */
export function optionalText(max: number): z.ZodString {
  return wellFormed(z.string()).max(max)
}

/** For values that are stored exactly as they are written, such as paths: `.refine(...notBlank)`. */
export const notBlank = [(value: string): boolean => !isBlank(value), 'must not be blank'] as const

const wellFormed = (schema: z.ZodString): z.ZodString =>
  schema.refine((value) => value.isWellFormed(), 'holds half of a surrogate pair; write the whole character')
