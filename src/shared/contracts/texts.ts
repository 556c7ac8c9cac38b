import { z } from 'zod'
import { countCodePoints, countVisible, isBlank } from '../text.ts'

/**
 * Text that has to be there: trimmed before its length is checked, and stored trimmed (rulings, "Trimming"). White space
 * and characters that show nothing do not count towards `min`. Half of a surrogate pair is refused, for strict JSON
 * readers refuse a whole document that holds one.
 */
export function requiredText(min: number, max: number): z.ZodString {
  const least = min === 1 ? 'must not be blank' : `must have at least ${min} characters that can be seen`
  return wellFormed(z.string().trim())
    .min(min)
    .max(max)
    .refine((value) => countCodePoints(value) < min || countVisible(value) >= min, least)
}

/** Text that may be empty, stored as it was written. */
export function optionalText(max: number): z.ZodString {
  return wellFormed(z.string()).max(max)
}

/** For values that are stored exactly as they are written, such as paths: `.refine(...notBlank)`. */
export const notBlank = [(value: string): boolean => !isBlank(value), 'must not be blank'] as const

const wellFormed = (schema: z.ZodString): z.ZodString =>
  schema.refine((value) => value.isWellFormed(), 'holds half of a surrogate pair; write the whole character')
