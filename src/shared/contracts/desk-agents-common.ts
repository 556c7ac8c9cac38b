import { z } from 'zod'
import { raw, readRoutes, reply } from '../route.ts'
import { instantSchema, maxSearchCharacters } from './desk-common.ts'
import { texts } from '../validation.texts.ts'

// Part of the desk's own API, on the local listener under /desk/api (rulings, "Own endpoints"). The data is that of the
// chosen agent project (rulings, "Dashboard API"). Unknown values are always null, never 0.

/** Rows per page of the lists. */
export const agentPageSize = 200

/**
 * State of the project's database: no project is chosen; folder or file does not exist (yet); readable; locked by
 * another program for over 2 s; not a database, or damaged.
 */
export const projectStates = ['none', 'missing', 'ready', 'busy', 'unreadable'] as const
export type ProjectState = (typeof projectStates)[number]

/** An object with its own name in the API description. */
export const record = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) =>
  z.strictObject(shape).meta({ id })

export const orNull = <Shape extends z.core.$ZodShape>(shape: Shape) => z.strictObject(shape).nullable()

/** How current an answer is, and what could not be known for it. */
export const agentStampSchema = record('AgentStamp', {
  /** `none` and `missing` have empty lists; `busy` has the last known answer, read at `readAt`. */
  state: z.enum(projectStates),
  /** What is wrong, in one sentence; null if `state` is `ready`. */
  sentence: z.string().nullable(),
  /** The project that was read. Another one may have been chosen since the request. */
  folder: z.string().nullable(),
  /** When the database (or its -wal) was last written. */
  changedAt: instantSchema.nullable(),
  /** When this answer was read. */
  readAt: instantSchema,
  /** Tables this answer needs and the database does not have; their data is empty or null. */
  missingTables: z.array(z.string()),
  /** Progress of the first count; until it is complete, sums are null. Null when everything is counted. */
  counting: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
})
export type AgentStamp = z.infer<typeof agentStampSchema>

/** The states that the format defines; any other word in the database is `unknown`. */
export const agentStates = ['crashed', 'paused', 'stopped', 'running', 'unknown'] as const
export type AgentState = (typeof agentStates)[number]

/** Number of agents in each state. */
export const stateCountsSchema = record('AgentStateCounts', {
  crashed: z.int(),
  paused: z.int(),
  stopped: z.int(),
  running: z.int(),
  unknown: z.int(),
})
export type StateCounts = z.infer<typeof stateCountsSchema>

/** Money spent, always computed by the same function over the same rows of `cost_events`. */
export const spendSchema = record('AgentSpend', {
  /**
   * Cents, with fractions, of the priced calls. Null if there are calls but none has a price, and if the database has
   * no table of calls; 0 only if there was no call or their prices add up to it.
   */
  cents: z.number().nullable(),
  /** All calls, priced and unpriced. */
  calls: z.int(),
  /** Calls without a valid price, which no sum includes. */
  unpriced: z.int(),
})
export type Spend = z.infer<typeof spendSchema>

/** Forecast of the spending by the end of a period, based on up to 14 whole days before today (UTC). */
export const expectedSchema = record('ExpectedSpend', {
  /** Spending so far plus the forecast for the rest. */
  cents: z.number(),
  /** The range that covers four out of five cases, derived from how much the days varied. */
  lowCents: z.number(),
  highCents: z.number(),
  /** Whole days used for the forecast; with fewer than 2 there is no forecast. */
  days: z.int(),
  until: instantSchema,
})
export type ExpectedSpend = z.infer<typeof expectedSchema>

/** A registry release whose package has the same digest as an agent's module, in any status. */
export const moduleReleaseSchema = record('ModuleRelease', {
  id: z.int(),
  name: z.string(),
  version: z.string(),
  status: z.enum(['pending', 'approved', 'rejected', 'revoked']),
  /** When it got this status; null while pending. */
  decidedAt: instantSchema.nullable(),
  /** The review notes of that decision. */
  reason: z.string().nullable(),
})
export type ModuleRelease = z.infer<typeof moduleReleaseSchema>

/** The module that an agent runs. */
export const agentModuleSchema = record('AgentModule', {
  /** As stored in the database; a relative path starts at the project folder. */
  source: z.string(),
  /** SHA-256 of the current file; null if it is not available or has not been read yet. */
  digest: z.string().nullable(),
  bytes: z.int().nullable(),
  /** Why there is no digest: not read yet; no such file; over 16 MiB; not a file, or not readable. */
  problem: z.enum(['waiting', 'missing', 'too large', 'unreadable']).nullable(),
  /** Releases with this digest, revoked ones first, then the newest. Empty: not from this registry. */
  releases: z.array(moduleReleaseSchema),
  /** Whether one of them is revoked. */
  revoked: z.boolean(),
})
export type AgentModule = z.infer<typeof agentModuleSchema>

/** The most serious first. */
export const alertKinds = ['mismatch', 'crashed', 'revoked', 'budget'] as const
export type AlertKind = (typeof alertKinds)[number]

/**
 * A problem that needs attention. It lasts until the database (for a revoked module: also the registry) says otherwise.
 * A mismatch rarely ends by itself, so it can be acknowledged. `alertText` creates its sentences.
 */
export const agentAlertSchema = record('AgentAlert', {
  id: z.int(),
  kind: z.enum(alertKinds),
  /** The agent concerned. For a mismatch the agent of the row, if it names one. */
  agent: z.string().nullable(),
  /** Start of the problem according to the database, otherwise when it was first seen here. */
  since: instantSchema,
  firstSeenAt: instantSchema,
  mismatch: orNull({
    /** The row; the newest if there are several. */
    id: z.int(),
    event: z.string().nullable(),
    at: instantSchema.nullable(),
    /** Number of rows this alert covers: from the 21st mismatch on, one alert covers all of them. */
    rows: z.int(),
    /** Whether the rows before and after it match; null if unknown. */
    aroundMatch: z.boolean().nullable(),
  }),
  crash: orNull({
    /** Detail of its newest audit row about a crash or an exit. */
    lastWords: z.string().nullable(),
    supervisor: z.string().nullable(),
    /** Restarts by the supervisor within its window before the crash; null if the audit does not record them. */
    restarts: z.int().nullable(),
    maxRestarts: z.int().nullable(),
    windowSeconds: z.int().nullable(),
  }),
  revoked: z.strictObject({ release: moduleReleaseSchema, digest: z.string() }).nullable(),
  budget: orNull({
    spentCents: z.number(),
    budgetCents: z.number(),
    /** Percent. */
    alertAt: z.number(),
    period: z.string(),
    action: z.string(),
    state: z.enum(agentStates),
  }),
})
export type AgentAlert = z.infer<typeof agentAlertSchema>

export const agentOffsetSchema = z
  .string()
  .regex(/^\d{1,9}$/, texts.wholeNumber)
  .transform(Number)
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 } })

/** A value of a column, as a filter. */
export const maxFacetCharacters = 200
export const facetValueSchema = z.string().max(maxFacetCharacters)

/** The values of a column, and how many rows have each. */
export const facetSchema = z.array(z.strictObject({ name: z.string(), rows: z.int() }))

export const orderSchema = z.enum(['asc', 'desc'])
export const agentSearchSchema = z.string().max(maxSearchCharacters).optional()
/** Maximum characters of the name of an agent, event, handler or supervisor in a filter. */
export const maxAgentNameCharacters = 500
export const agentNameSchema = z.string().max(maxAgentNameCharacters)

/** A named period counts from now; `range` has `from` and `to` (days in UTC, both inclusive, at most 366). */
const agentPeriods = ['hour', 'today', '7 days', 'month', '30 days', 'range'] as const
export type AgentPeriod = (typeof agentPeriods)[number]
export const agentPeriodQuery = {
  period: z.enum(agentPeriods).default('today').describe('In UTC; `month` is the calendar month.'),
  from: z.iso.date().optional().describe('First day of a `range`.'),
  to: z.iso.date().optional().describe('Last day of a `range`.'),
}

/** The period of an answer: `from` inclusive, `to` exclusive. */
export const agentTimeSchema = z.strictObject({ from: instantSchema, to: instantSchema })

/** A query about the chosen project. */
export const agentRoute = readRoutes('/desk/api/agents/', 'administrator', ['AGENTS_UNAVAILABLE'])

/** Exports with all rows that match a filter, as CSV and JSON. */
export const fileRoutes = <Query extends z.ZodObject>(path: string, what: string, query: Query) => ({
  csv: agentRoute(
    `${path}.csv`,
    `Export as CSV: ${what}`,
    raw('text/csv', 'RFC 4180, with a header row'),
    query,
  ),
  json: agentRoute(`${path}.json`, `Export as JSON: ${what}`, raw('application/json', 'A list'), query),
})

interface TableDefinition<Shape extends z.core.$ZodShape, Row, More> {
  /** What the list and the exports contain: `budgets`. */
  rows: string
  /** How the list is ordered, if it cannot be chosen: `newest first`. */
  order?: string
  filter: z.ZodObject<Shape>
  row: Row
  /** The fields of a page besides its rows; `total` is the number of rows that match the filter. */
  more: More
}

/** A list with 200 rows per page, and exports of all its rows. */
export function tableRoutes<
  Shape extends z.core.$ZodShape,
  Row extends z.ZodType,
  More extends { total: z.ZodType },
>(path: string, { rows, order, filter, row, more }: TableDefinition<Shape, Row, More>) {
  const page = z.strictObject({ stamp: agentStampSchema, items: z.array(row), ...more })
  return {
    list: agentRoute(
      path,
      `List ${order === undefined ? rows : `${rows}, ${order}`}, ${agentPageSize} per page`,
      reply(page, 'A page and the number of matching rows'),
      filter.extend({ offset: agentOffsetSchema }),
    ),
    ...fileRoutes(path, rows, filter),
  }
}
