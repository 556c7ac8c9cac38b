import { z } from 'zod'
import { reply } from '../route.ts'
import {
  agentNameSchema,
  agentOffsetSchema,
  agentRoute,
  agentSearchSchema,
  agentStampSchema,
  facetSchema,
  fileRoutes,
  orNull,
  record,
} from './desk-agents-common.ts'
import { instantSchema } from './desk-common.ts'
import { stored } from './agent-columns.ts'
import { texts } from '../validation.texts.ts'

export const auditEventSchema = z.strictObject({
  id: z.int(),
  /** Null if it is not a valid time. */
  at: stored.time('timestamp'),
  agent: stored.text('agent_name'),
  event: stored.text('event_type'),
  detail: stored.text('detail'),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

/** Ids missing between a row and the next older one. */
const auditGapSchema = record('AuditGap', {
  /** First and last missing id. */
  from: z.int(),
  to: z.int(),
  rows: z.int(),
  /** Times of the rows before and after the gap. */
  after: instantSchema.nullable(),
  before: instantSchema.nullable(),
  /**
   * Whether the lamport clock continues across the gap (the newer row's is the older row's plus 1): then the rows may
   * never have existed. Null if either is unknown.
   */
  lamportContinues: z.boolean().nullable(),
})
export type AuditGap = z.infer<typeof auditGapSchema>

export const auditRowSchema = record('AuditRow', {
  ...auditEventSchema.shape,
  lamport: stored.whole('lamport'),
  /** As stored. */
  hash: stored.text('content_hash'),
  /** Computed just now from `lamport:agent_name:event_type:detail`; null if `verified`. */
  computed: z.string().nullable(),
  verified: z.boolean(),
  /** For a row that does not match: when that was first seen here, and whether it was acknowledged. */
  mismatch: orNull({
    firstSeenAt: instantSchema.nullable(),
    /** The alert about it; null if it has no alert (yet). */
    alertId: z.int().nullable(),
    seen: z.boolean(),
  }),
  /** The ids missing between this row and the next older one, regardless of the filter. */
  gap: auditGapSchema.nullable(),
})
export type AuditRow = z.infer<typeof auditRowSchema>

/** Result of verifying all rows in the background, which is repeated continuously, new rows first. */
export const auditSummarySchema = record('AuditSummary', {
  /** Rows in the table; null during the first count. */
  total: z.int().nullable(),
  /** Rows of today (UTC). */
  today: z.int().nullable(),
  /** Rows whose hash has been verified; less than `total` during the first pass. */
  checked: z.int(),
  /** Mismatches among the checked rows. */
  mismatches: z.int(),
  /** Ids missing between the first and the last row, and the number of gaps. */
  missing: z.int(),
  gaps: z.int(),
  /** When the last complete pass ended; null during the first one. */
  checkedAt: instantSchema.nullable(),
  firstId: z.int().nullable(),
  lastId: z.int().nullable(),
})
export type AuditSummary = z.infer<typeof auditSummarySchema>

const auditPageSchema = record('AuditPage', {
  stamp: agentStampSchema,
  /** Newest first. */
  items: z.array(auditRowSchema),
  /**
   * `before` for the next older page; null at the end. With `q`, a page may be short or even empty although more
   * follow.
   */
  older: z.int().nullable(),
  /** `after` for the next newer page; null if this page has the newest matching row. */
  newer: z.int().nullable(),
  /** `top` as requested, otherwise the newest row when the page was read; null for an empty table. */
  top: z.int().nullable(),
  /** Matching rows up to `top`; null with `q` and during the first count. */
  total: z.int().nullable(),
  /** Those of them that are newer than the first of these items; null when `total` is. */
  above: z.int().nullable(),
  /** Matching rows newer than `top`; null when `total` is. */
  fresh: z.int().nullable(),
  summary: auditSummarySchema,
})
export type AuditPage = z.infer<typeof auditPageSchema>

const idText = z
  .string()
  .regex(/^-?\d{1,15}$/, texts.wholeNumber)
  .transform(Number)
  .optional()
  .meta({ override: { type: 'integer' } })

const auditFilter = z.object({
  q: agentSearchSchema.describe('Text in the detail, agent or event, case-insensitive.'),
  agent: agentNameSchema.optional(),
  event: agentNameSchema.optional(),
  from: instantSchema.optional().describe('Start of the time range, inclusive.'),
  to: instantSchema.optional().describe('End of the time range, exclusive.'),
  trouble: z.stringbool().default(false).describe('Only rows that follow a gap or do not match their hash.'),
})

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
        /** By name; limited to the 10,000 with the most rows. */
        agents: facetSchema,
        events: facetSchema,
      }),
      'Agents and events',
    ),
  ),
  exportAuditCsv: auditFiles.csv,
  exportAuditJson: auditFiles.json,
}
