import { z } from 'zod'
import { raw, reply, route } from '../route.ts'
import { deskOffsetSchema, idTextSchema, instantSchema } from './desk-common.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

export const historyKinds = ['submitted', 'approved', 'rejected', 'revoked', 'judged', 'withdrawn'] as const
export type HistoryKind = (typeof historyKinds)[number]

/** One event in the history of a release. */
export const historyEntrySchema = z
  .strictObject({
    kind: z.enum(historyKinds),
    at: instantSchema,
    personId: z.int(),
    person: z.string(),
    releaseId: z.int(),
    name: z.string(),
    version: z.string(),
    /** The review notes of a decision, or the reason for a dismissal. */
    why: z.string().nullable(),
    /** The check whose finding was dismissed. */
    check: z.string().nullable(),
    /** For a decision: whether it was made in the desk and has evidence. */
    evidence: z.boolean().nullable(),
    /** Whether the publisher approved their own release. */
    selfApproved: z.boolean(),
  })
  .meta({ id: 'HistoryEntry' })
export type HistoryEntry = z.infer<typeof historyEntrySchema>

const day = z.iso.date()
const filter = z.object({
  kind: z.enum(historyKinds).optional(),
  person: idTextSchema.optional(),
  from: day.optional().describe('The first day, in UTC.'),
  to: day.optional().describe('The last day, in UTC.'),
  q: z
    .string()
    .max(100)
    .optional()
    .describe("Part of a skill name, a person's name, review notes or the reason for a dismissal."),
})

export const deskHistoryRoutes = {
  listHistory: route({
    method: 'GET',
    path: '/desk/api/history',
    tag: 'Desk',
    summary: 'List the events of all releases, newest first, 100 per page',
    access: 'administrator',
    query: filter.extend({ offset: deskOffsetSchema }),
    reply: reply(
      z.strictObject({ items: z.array(historyEntrySchema), total: z.int() }),
      'A page, and the number of matching events',
    ),
    errors: ['TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  exportHistoryCsv: route({
    method: 'GET',
    path: '/desk/api/history.csv',
    tag: 'Desk',
    summary: 'Export the events of all releases as CSV',
    access: 'administrator',
    query: filter,
    reply: raw('text/csv', 'One row per event, with a header row (RFC 4180)'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  exportHistoryJson: route({
    method: 'GET',
    path: '/desk/api/history.json',
    tag: 'Desk',
    summary: 'Export the events of all releases as JSON',
    access: 'administrator',
    query: filter,
    reply: raw('application/json', 'An array of HistoryEntry'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
}
