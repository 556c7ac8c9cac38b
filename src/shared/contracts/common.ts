import { z } from 'zod'
import { errorCodes } from '../errors.ts'
import { texts } from '../validation.texts.ts'

export const errorResponseSchema = z
  .strictObject({
    error: z.string().describe('What went wrong and, usually, what to do about it.'),
    code: z.enum(errorCodes).describe('A stable, machine-readable code.'),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe('One entry per problem, with the path of the field.'),
  })
  .meta({ id: 'ErrorResponse' })

export type ErrorResponse = z.infer<typeof errorResponseSchema>

/** An error for clients that accept `application/problem+json` (RFC 9457). */
export const problemSchema = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string().describe('The text of the status.'),
    status: z.int(),
    detail: errorResponseSchema.shape.error,
    code: errorResponseSchema.shape.code,
    issues: errorResponseSchema.shape.issues,
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problemSchema>

/** Section 2.6. */
export const successSchema = z.strictObject({ success: z.boolean() }).meta({ id: 'Success' })

/** Section 8. */
export const maxOffset = 100_000

/** Section 8: `offset` is an integer from 0 to 100000, in decimal digits. */
export const offsetSchema = z
  .string()
  .regex(/^\d{1,6}$/, texts.offset)
  .transform(Number)
  .pipe(z.number().int().min(0).max(maxOffset))
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, maximum: maxOffset, default: 0 } })

export const pageQuerySchema = z.object({ offset: offsetSchema })
