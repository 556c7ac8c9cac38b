import { z } from 'zod'
import { raw, reply, route } from '../route.ts'
import { deskOffsetSchema, idTextSchema, instantSchema } from './desk-common.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

export const historyKinds = ['submitted', 'approved', 'rejected', 'revoked', 'judged', 'withdrawn'] as const
export type HistoryKind = (typeof historyKinds)[number]

/** Something that happened to a release: who, what, when, why. */
export const historyEntrySchema = z
  .strictObject({
    kind: z.enum(historyKinds),
    at: instantSchema,
    personId: z.int(),
    person: z.string(),
    releaseId: z.int(),
    name: z.string(),
    version: z.string(),
    /** Notes of a decision, reason of a judgement. */
    why: z.string().nullable(),
    /** The check of a judgement. */
    check: z.string().nullable(),
    /** Of a decision: whether it was made in the desk, with what was seen. */
    evidence: z.boolean().nullable(),
    /** Whether it is an approval by the release's own publisher. */
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
  q: z.string().max(100).optional().describe('Part of a name, a person or what was written.'),
})

export const deskHistoryRoutes = {
  listHistory: route({
    method: 'GET',
    path: '/desk/api/history',
    tag: 'Desk',
    summary: 'List what happened to all releases, newest first, 100 a page',
    access: 'administrator',
    query: filter.extend({ offset: deskOffsetSchema }),
    reply: reply(
      z.strictObject({ items: z.array(historyEntrySchema), total: z.int() }),
      'A page, and how many there are for the filter',
    ),
    errors: ['TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  exportHistoryCsv: route({
    method: 'GET',
    path: '/desk/api/history.csv',
    tag: 'Desk',
    summary: 'Export what happened to all releases as CSV',
    access: 'administrator',
    query: filter,
    reply: raw('text/csv', 'One row an event, RFC 4180, with a head'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  exportHistoryJson: route({
    method: 'GET',
    path: '/desk/api/history.json',
    tag: 'Desk',
    summary: 'Export what happened to all releases as JSON',
    access: 'administrator',
    query: filter,
    reply: raw('application/json', 'A list of HistoryEntry'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
}
