import { z } from 'zod'
import { raw, readRoutes, reply } from '../route.ts'
import { instantSchema } from './desk-common.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints"). The data is
// that of the chosen agent project (rulings, "Dashboard API"). Unknown is null everywhere, never 0.

/** Rows of one page of the lists. */
export const agentPageSize = 200

/**
 * What is known of the project's database: none is chosen; folder or file is not there (yet); it can be read; a program
 * has held it exclusively for over 2 s; it is no database or a damaged one.
 */
export const projectStates = ['none', 'missing', 'ready', 'busy', 'unreadable'] as const
export type ProjectState = (typeof projectStates)[number]

/** An object with a name of its own in the description of the interface. */
export const record = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) =>
  z.strictObject(shape).meta({ id })

export const orNull = <Shape extends z.core.$ZodShape>(shape: Shape) => z.strictObject(shape).nullable()

/** How old an answer is, and what it could not know. */
export const agentStampSchema = record('AgentStamp', {
  /** `none` and `missing` come with empty lists; `busy` with the last known answer, whose time is `readAt`. */
  state: z.enum(projectStates),
  /** What is wrong, in one sentence; null while `state` is `ready`. */
  sentence: z.string().nullable(),
  /** Another text means that the database has changed meanwhile. */
  revision: z.string(),
  /** When the database (or its -wal) was written last. */
  changedAt: instantSchema.nullable(),
  /** When this answer was read. */
  readAt: instantSchema,
  /** Tables that this answer needs and the database does not have; what comes from them is empty or null. */
  missingTables: z.array(z.string()),
  /** Rows gone through the first time; until they all are, sums over them are null. Null when all is counted. */
  counting: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
})
export type AgentStamp = z.infer<typeof agentStampSchema>

/** The states that the format knows; any other word in the database is `unknown`. */
export const agentStates = ['crashed', 'paused', 'stopped', 'running', 'unknown'] as const
export type AgentState = (typeof agentStates)[number]

/** How many are in each state. */
export const stateCountsSchema = record('AgentStateCounts', {
  crashed: z.int(),
  paused: z.int(),
  stopped: z.int(),
  running: z.int(),
  unknown: z.int(),
})
export type StateCounts = z.infer<typeof stateCountsSchema>

/** Money spent, always counted by the same function over the same rows of `cost_events`. */
export const spendSchema = record('AgentSpend', {
  /**
   * Cents, with fractions, of the calls that have a price. Null where there are calls and none has a price, and where
   * the database keeps no calls; 0 only where there was no call or their prices add up to it.
   */
  cents: z.number().nullable(),
  /** Calls, with and without price. */
  calls: z.int(),
  /** Calls among them without a readable price; their cost is in no sum. */
  unpriced: z.int(),
})
export type Spend = z.infer<typeof spendSchema>

/** What is expected to be spent by the end of a time, from whole days before today (UTC), at most 14. */
export const expectedSchema = record('ExpectedSpend', {
  /** What is spent already with what is still expected. */
  cents: z.number(),
  /** Four of five times it should end between these two: from how much the days differed. */
  lowCents: z.number(),
  highCents: z.number(),
  /** Whole days that this was computed from; with fewer than 2 nothing is expected. */
  days: z.int(),
  until: instantSchema,
})
export type ExpectedSpend = z.infer<typeof expectedSchema>

/** A registry release whose package has the same digest as an agent's module, whatever its status. */
export const moduleReleaseSchema = record('ModuleRelease', {
  id: z.int(),
  name: z.string(),
  version: z.string(),
  status: z.enum(['pending', 'approved', 'rejected', 'revoked']),
  /** When it got this status; null while pending. */
  decidedAt: instantSchema.nullable(),
  /** The note of that decision. */
  reason: z.string().nullable(),
})
export type ModuleRelease = z.infer<typeof moduleReleaseSchema>

/** The module that an agent runs. */
export const agentModuleSchema = record('AgentModule', {
  /** As it stands in the database; a relative path starts at the project's folder. */
  source: z.string(),
  /** SHA-256 of the file as it is now; null where it cannot be had, or has not been read yet. */
  digest: z.string().nullable(),
  bytes: z.int().nullable(),
  /** Why there is no digest: not read yet; no such file; over 16 MiB; no file, or one that may not be read. */
  problem: z.enum(['waiting', 'missing', 'too large', 'unreadable']).nullable(),
  /** The releases with this digest: newest first, a revoked one before all others. None: not from this registry. */
  releases: z.array(moduleReleaseSchema),
  /** Whether one of them is revoked. */
  revoked: z.boolean(),
})
export type AgentModule = z.infer<typeof agentModuleSchema>

export const alertKinds = ['mismatch', 'crashed', 'revoked', 'budget'] as const
export type AlertKind = (typeof alertKinds)[number]

/**
 * Something that needs a person. It lasts until the database (for a revoked module: also the registry) says otherwise. A
 * mismatch rarely ends by itself, so it can be marked as seen. `alertText` makes its sentences.
 */
export const agentAlertSchema = record('AgentAlert', {
  id: z.int(),
  kind: z.enum(alertKinds),
  /** Crashed, revoked, budget: the agent. Mismatch: the agent of the row, where it names one. */
  agent: z.string().nullable(),
  /** Since when it is so, as far as the database tells, else since it was first seen here. */
  since: instantSchema,
  firstSeenAt: instantSchema,
  mismatch: orNull({
    /** The row; of several the newest. */
    id: z.int(),
    event: z.string().nullable(),
    at: instantSchema.nullable(),
    /** How many rows this alert stands for: from the 21st that does not match on, one alert tells of all. */
    rows: z.int(),
    /** Whether the rows before and after it match; null where that is not known. */
    aroundMatch: z.boolean().nullable(),
  }),
  crash: orNull({
    /** Detail of its newest audit row about a crash or an exit. */
    lastWords: z.string().nullable(),
    supervisor: z.string().nullable(),
    /** Restarts by the supervisor in its window before the crash; null where the audit does not tell. */
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
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
  .default(0)
  .meta({ override: { type: 'integer', minimum: 0, maximum: 999_999_999, default: 0 } })

export const orderSchema = z.enum(['asc', 'desc'])
export const agentSearchSchema = z.string().max(100).optional()
export const agentNameSchema = z.string().max(500)

/** A time to look at: a name counts from now, `range` has `from` and `to` (days in UTC, both included, at most 366). */
export const agentPeriods = ['hour', 'today', '7 days', 'month', '30 days', 'range'] as const
export type AgentPeriod = (typeof agentPeriods)[number]
export const agentPeriodQuery = {
  period: z.enum(agentPeriods).default('today').describe('In UTC; `month` is the calendar month.'),
  from: z.iso.date().optional().describe('First day of a `range`.'),
  to: z.iso.date().optional().describe('Last day of a `range`.'),
}

/** The time that an answer is about: `from` belongs to it, `to` does not. */
export const agentTimeSchema = z.strictObject({ from: instantSchema, to: instantSchema })

/** A question about the chosen project. */
export const agentRoute = readRoutes('/desk/api/agents/', 'Desk', 'administrator', ['AGENTS_UNAVAILABLE'])

/** Two files of all rows that an answer shows for a filter. Where their rows differ, each has a summary. */
export function fileRoutes<Query extends z.ZodObject>(
  path: string,
  summary: string | { csv: string; json: string },
  query: Query,
) {
  const { csv, json } = typeof summary === 'string' ? { csv: summary, json: summary } : summary
  return {
    csv: agentRoute(
      `${path}.csv`,
      `Export ${csv} as CSV`,
      raw('text/csv', 'RFC 4180, with a header row'),
      query,
    ),
    json: agentRoute(`${path}.json`, `Export ${json} as JSON`, raw('application/json', 'A list'), query),
  }
}

/** How many rows there are for a filter. */
const totalSchema = z.int()
/** The same, null while rows are counted the first time. */
export const countedSchema = totalSchema.nullable()

const nothingMore = {} satisfies z.core.$ZodShape

interface TableDefinition<Shape extends z.core.$ZodShape, Row, Total, More> {
  /** What the list is called: `the budgets, nearest to their limit first`. */
  list: string
  /** What the files hold: `the budgets`. */
  files: string
  filter: z.ZodObject<Shape>
  row: Row
  total?: Total
  /** What a page says beside its rows. */
  more?: More
  reply?: string
}

/** A list, 200 rows a page, and two files of all its rows. */
export function tableRoutes<
  Shape extends z.core.$ZodShape,
  Row extends z.ZodType,
  Total extends z.ZodType = typeof totalSchema,
  More extends z.core.$ZodShape = typeof nothingMore,
>(path: string, definition: TableDefinition<Shape, Row, Total, More>) {
  const { list, files, filter, row, total, more, reply: words } = definition
  const page = z.strictObject({
    stamp: agentStampSchema,
    items: z.array(row),
    total: (total ?? totalSchema) as Total,
    ...(more ?? (nothingMore as More)),
  })
  return {
    list: agentRoute(
      path,
      `List ${list}, ${agentPageSize} per page`,
      reply(page, words ?? 'A page and the number of matching rows'),
      filter.extend({ offset: agentOffsetSchema }),
    ),
    ...fileRoutes(path, files, filter),
  }
}
