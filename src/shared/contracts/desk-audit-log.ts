import { z } from 'zod'
import { auditGroupNames, auditKinds } from '../audit-kinds.texts.ts'
import { raw, reply, route } from '../route.ts'
import { deskOffsetSchema, idTextSchema, instantSchema, maxSearchCharacters } from './desk-common.ts'
import { deskPageSize } from '../list-page.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** Kinds of events of releases that are older than the transparency log. */
export const historyKinds = ['submitted', 'approved', 'rejected', 'revoked', 'judged', 'withdrawn'] as const
/** Every kind of event of a release that is read from the audit log. */
export const releaseHistoryKinds = [...historyKinds, 'deprecated', 'deprecation.withdrawn'] as const

/**
 * Where a change was made. `desk` is the desk in a browser on the registry's own computer, `app` the one in the app, `website` a
 * form without an account, `cli` the server's commands.
 */
export const auditChannels = ['desk', 'app', 'remote-desk', 'api', 'website', 'cli', 'server'] as const
export type AuditChannel = (typeof auditChannels)[number]

const about = {
  /** The review notes of a decision, or the reason for a dismissal or a deprecation. */
  why: z.string().nullable(),
  /** The check whose finding was dismissed. */
  check: z.string().nullable(),
  /** For a decision: whether it was made in the desk and has evidence. */
  evidence: z.boolean().nullable(),
  /** Whether the publisher approved their own release. */
  selfApproved: z.boolean(),
}

/** One event of a release, including those about the first of two approvals. */
export const releaseEventSchema = z.strictObject({
  kind: z.enum([...releaseHistoryKinds, 'first-approved', 'approval-withdrawn']),
  at: instantSchema,
  person: z.string(),
  ...about,
})
export type ReleaseEvent = z.infer<typeof releaseEventSchema>

/** One event of the audit log. */
const auditEntrySchema = z
  .strictObject({
    id: z.int(),
    kind: z.enum(auditKinds),
    at: instantSchema,
    /** Who did it; null if that is unknown, or nobody who has an account. */
    personId: z.int().nullable(),
    person: z.string().nullable(),
    /** Null for events from before this was recorded. */
    channel: z.enum(auditChannels).nullable(),
    /** The client's address, or its network for refused sign-ins; null if unknown or no longer stored. */
    address: z.string().nullable(),
    releaseId: z.int().nullable(),
    /** What it is about: the name of a skill, or the sign-in name of a person, for instance. */
    name: z.string(),
    version: z.string().nullable(),
    ...about,
    /** Changed values, or those of what was added or removed. Texts that are stored only as digests have no values. */
    changes: z.array(
      z.strictObject({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
    ),
    /** The number of refused sign-ins that were counted together, and when the last one was. */
    count: z.int(),
    lastAt: instantSchema.nullable(),
    /** The index in the transparency log. */
    entry: z.int().nullable(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** A kind of event, or a group of kinds. */
export const auditFilterKinds = [...auditGroupNames, ...auditKinds]
export type AuditFilterKind = (typeof auditFilterKinds)[number]

const day = z.iso.date()
/** Maximum characters of the name of what an event is about. */
export const maxAboutCharacters = 255
const filter = z.object({
  kind: z.enum(auditFilterKinds).optional(),
  person: idTextSchema.optional().describe('Who did it.'),
  about: z.string().max(maxAboutCharacters).optional().describe('The exact name of what it is about.'),
  from: day.optional().describe('The first day, in UTC.'),
  to: day.optional().describe('The last day, in UTC.'),
  q: z
    .string()
    .max(maxSearchCharacters)
    .optional()
    .describe("Part of a name, a person's name, review notes, another reason, or a changed value."),
})

/** Which events are listed or exported. */
export type AuditQuery = z.output<typeof filter>

export const deskAuditLogRoutes = {
  listAuditLog: route('GET /desk/api/history', 'administrator', {
    summary: `List the events of the audit log, newest first, ${deskPageSize} per page`,
    query: filter.extend({ offset: deskOffsetSchema }),
    reply: reply(
      z.strictObject({ items: z.array(auditEntrySchema), total: z.int() }),
      'A page, and the number of matching events',
    ),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  exportAuditLogCsv: route('GET /desk/api/history.csv', 'administrator', {
    summary: 'Export the audit log as CSV',
    query: filter,
    reply: raw('text/csv', 'One row per event, with a header row (RFC 4180)'),
  }),
  exportAuditLogNdjson: route('GET /desk/api/history.ndjson', 'administrator', {
    summary: 'Export the audit log as NDJSON',
    query: filter,
    reply: raw('application/x-ndjson', 'One AuditEntry per line'),
  }),
}
