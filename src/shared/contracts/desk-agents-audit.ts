import { z } from 'zod'
import { reply } from '../route.ts'
import {
  agentNameSchema,
  agentOffsetSchema,
  agentRoute,
  agentSearchSchema,
  agentStampSchema,
  fileRoutes,
  record,
  orNull,
} from './desk-agents-common.ts'
import { instantSchema } from './desk-common.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** Rows of one page of the audit. */
export const auditPageSize = 200

/** Ids that are not there between a row and the next older one. */
export const auditGapSchema = record('AuditGap', {
  /** The first and the last id that are missing. */
  from: z.int(),
  to: z.int(),
  rows: z.int(),
  /** Times of the rows on both sides, older first. */
  after: instantSchema.nullable(),
  before: instantSchema.nullable(),
  /**
   * Whether the lamport clock goes on without a break across the gap (the newer row's is the older row's plus 1): then the
   * rows may never have existed. Null where either is unknown.
   */
  lamportContinues: z.boolean().nullable(),
})
export type AuditGap = z.infer<typeof auditGapSchema>

export const auditRowSchema = record('AuditRow', {
  id: z.int(),
  /** Null where it cannot be read as a time. */
  at: instantSchema.nullable(),
  lamport: z.int().nullable(),
  agent: z.string().nullable(),
  event: z.string().nullable(),
  detail: z.string().nullable(),
  /** As stored. */
  hash: z.string().nullable(),
  /** As recomputed just now from `lamport:agent_name:event_type:detail`; null where `verified`. */
  computed: z.string().nullable(),
  verified: z.boolean(),
  /** Of a row that does not match: when that was first seen here, and whether a person has marked it as seen. */
  mismatch: orNull({
    firstSeenAt: instantSchema.nullable(),
    /** Of the alert about it; null where it has none (yet). */
    alertId: z.int().nullable(),
    seen: z.boolean(),
  }),
  /** The ids missing between this row and the next older one, whatever the filter. */
  gap: auditGapSchema.nullable(),
})
export type AuditRow = z.infer<typeof auditRowSchema>

/** What the check of all rows in the background has found. It goes through them again and again, new ones first. */
export const auditSummarySchema = record('AuditSummary', {
  /** Rows in the table; null while they are counted the first time. */
  total: z.int().nullable(),
  /** Rows of today (UTC). */
  today: z.int().nullable(),
  /** Rows whose hash has been recomputed; below `total` the first pass goes on. */
  checked: z.int(),
  /** Among the checked rows. */
  mismatches: z.int(),
  /** Ids that are not there between the first and the last row, and in how many gaps. */
  missing: z.int(),
  gaps: z.int(),
  /** When the last whole pass ended; null during the first one. */
  checkedAt: instantSchema.nullable(),
  firstId: z.int().nullable(),
  lastId: z.int().nullable(),
})
export type AuditSummary = z.infer<typeof auditSummarySchema>

export const auditPageSchema = record('AuditPage', {
  stamp: agentStampSchema,
  /** Newest first. */
  items: z.array(auditRowSchema),
  /** For `before` of the next older page; null at the end. With `q` a page can be short, even empty, and go on. */
  older: z.int().nullable(),
  /** For `after` of the next newer page; null where this page holds the newest row of the filter. */
  newer: z.int().nullable(),
  /** `top` as asked for, else the newest row of the table as it was read; null in an empty one. */
  top: z.int().nullable(),
  /** Rows for the filter up to `top`; null with `q`, and while rows are counted the first time. */
  total: z.int().nullable(),
  /** Those of them that are newer than the first of these items; null as `total`. */
  above: z.int().nullable(),
  /** Rows for the filter that are newer than `top`; null as `total`. */
  fresh: z.int().nullable(),
  summary: auditSummarySchema,
})
export type AuditPage = z.infer<typeof auditPageSchema>

const idText = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .optional()
  .meta({ override: { type: 'integer' } })

const auditFilter = z.object({
  q: agentSearchSchema.describe('Text in the detail, agent or event, case-insensitive.'),
  agent: agentNameSchema.optional(),
  event: z.string().max(500).optional(),
  from: instantSchema.optional().describe('Start of the time range, inclusive.'),
  to: instantSchema.optional().describe('End of the time range, exclusive.'),
  trouble: z.stringbool().default(false).describe('Only rows that do not match their hash or follow a gap.'),
})

const nameCounts = z.array(z.strictObject({ name: z.string(), rows: z.int() }))

export const auditFiles = fileRoutes(
  'audit',
  'audit rows with their verification result, newest first',
  auditFilter,
)

export const deskAgentAuditRoutes = {
  listAudit: agentRoute(
    'audit',
    'List audit rows, newest first, 200 per page, from the newest or around an id',
    reply(auditPageSchema, 'A page'),
    auditFilter.extend({
      before: idText.describe('Rows older than this id.'),
      after: idText.describe('The closest rows newer than this id.'),
      around: idText.describe('Rows around this id, including it.'),
      top: idText.describe('Rows newer than this id are counted in `fresh` and otherwise omitted.'),
      offset: agentOffsetSchema.describe(
        'Number of the newest matching rows to skip. Do not combine with `q`.',
      ),
    }),
  ),
  getAuditFacets: agentRoute(
    'audit/facets',
    'List the agents and events in the audit, with their row counts',
    reply(
      z.strictObject({
        stamp: agentStampSchema,
        /** By name; more than 10,000 are cut, those with most rows stay. */
        agents: nameCounts,
        events: nameCounts,
      }),
      'Agents and events',
    ),
  ),
  exportAuditCsv: auditFiles.csv,
  exportAuditJson: auditFiles.json,
}
