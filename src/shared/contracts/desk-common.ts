import { z } from 'zod'
import { roles } from './people.ts'
import { texts } from '../validation.texts.ts'

/** Maximum characters of what a list is searched for. */
export const maxSearchCharacters = 100

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

export const instantSchema = z.iso.datetime()
export const idTextSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, texts.positive)
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } })
export const idParamsSchema = z.object({ id: idTextSchema })

export const deskOffsetSchema = z
  .string()
  .regex(/^\d{1,7}$/, texts.wholeNumber)
  .transform(Number)
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, maximum: 9_999_999, default: 0 } })

export const deskPersonSchema = z
  .strictObject({
    id: z.int(),
    subject: z.string(),
    /** Null if the person has no name; shown as `Developer N`. */
    name: z.string().nullable(),
    role: z.enum(roles),
  })
  .meta({ id: 'DeskPerson' })
export type DeskPerson = z.infer<typeof deskPersonSchema>
