import { z } from 'zod'
import { reply } from '../route.ts'
import type { JsonReply } from '../route.ts'
import {
  auditEventSchema,
  auditRowSchema,
  auditSummarySchema,
  deskAgentAuditRoutes,
} from './desk-agents-audit.ts'
import {
  agentAlertSchema,
  agentModuleSchema,
  agentNameSchema,
  agentRoute,
  agentSearchSchema,
  agentStampSchema,
  agentStates,
  expectedSchema,
  fileRoutes,
  moduleReleaseSchema,
  orderSchema,
  orNull,
  record,
  spendSchema,
  stateCountsSchema,
  tableRoutes,
} from './desk-agents-common.ts'
import { agentBudgetSchema, deskAgentCostRoutes, spendChartSchema } from './desk-agents-cost.ts'
import { deskAgentProjectRoutes } from './desk-agents-project.ts'
import {
  deskAgentTableRoutes,
  edgeDeploymentSchema,
  routesByType,
  routeSumSchema,
  trustRecordSchema,
} from './desk-agents-tables.ts'
import { instantSchema } from './desk-common.ts'
import { stored } from './agent-columns.ts'

/** An agent as stored in its table, with data from other tables. */
const agentRowSchema = record('AgentRow', {
  name: stored.name('name'),
  state: stored.word('status', agentStates),
  /** The word in the database, which is more specific if `state` is `unknown`. */
  status: stored.text('status'),
  /** The first by name if there are several. */
  supervisor: z.string().nullable(),
  source: stored.text('source'),
  /** The release its module came from (the revoked one if there are several); null if none is known. */
  release: moduleReleaseSchema.nullable(),
  /** Time of its newest audit row, otherwise its `updated_at`. */
  lastActivityAt: instantSchema.nullable(),
  /** Null during the first count. */
  spentToday: spendSchema.nullable(),
  spentMonth: spendSchema.nullable(),
  createdAt: stored.time('created_at'),
})
export type AgentRow = z.infer<typeof agentRowSchema>

export const agentSorts = ['name', 'state', 'supervisor', 'activity', 'today', 'month', 'created'] as const

const agentFilter = z.object({
  q: agentSearchSchema.describe('Text in the name, source or template, case-insensitive.'),
  state: z.enum(agentStates).optional(),
  supervisor: agentNameSchema.optional(),
  unsupervised: z.stringbool().default(false).describe('Only agents without a supervisor.'),
  revoked: z.stringbool().default(false).describe('Only agents whose module has been revoked.'),
  sort: z
    .enum(agentSorts)
    .default('name')
    .describe('`state`: crashed first. Unknown values come last in either order.'),
  order: orderSchema.default('asc'),
})

/** What the database says about an agent. */
export const agentDetailsSchema = z.strictObject({
  ...agentRowSchema.shape,
  template: stored.text('template'),
  pid: stored.whole('pid'),
  updatedAt: stored.time('updated_at'),
})

const agentPageSchema = record('AgentPage', {
  stamp: agentStampSchema,
  agent: orNull({
    ...agentDetailsSchema.shape,
    module: agentModuleSchema.nullable(),
    /** Every supervisor that lists it, and its position there. */
    supervisors: z.array(z.strictObject({ name: z.string(), position: z.int().nullable() })),
    budget: agentBudgetSchema.nullable(),
    trust: trustRecordSchema.nullable(),
    deployments: z.array(edgeDeploymentSchema),
    /** Forecast for midnight; null with too little data, and for an agent that is not running. */
    expectedToday: expectedSchema.nullable(),
    /** The last 30 days by model. Null during the first count. */
    chart: spendChartSchema.nullable(),
    alerts: z.array(agentAlertSchema),
    /** Its newest audit rows, at most 50; the audit with `agent` has all of them. */
    timeline: z.array(auditRowSchema),
    /** Number of its audit rows; null during the first count. */
    timelineTotal: z.int().nullable(),
  }),
  /** If there is no such agent (any longer): the tables that still mention it. */
  namedIn: z.array(z.string()),
})
export type AgentPage = z.infer<typeof agentPageSchema>

/** Restarts recorded in the audit: rows whose event is a restart, or a start whose detail mentions a restart. */
const restartsSchema = record('SupervisorRestarts', {
  /**
   * Within the supervisor's window ending now; or, if a child has crashed since the newest restart and the limit was
   * reached then, within the window ending with that restart.
   */
  inWindow: z.int(),
  /** At least as many as allowed. */
  limitReached: z.boolean(),
  lastAt: instantSchema.nullable(),
})

export const supervisorChildSchema = record('SupervisorChild', {
  agent: stored.name('agent_name'),
  position: stored.whole('position'),
  /** Null if there is no such agent. */
  state: z.enum(agentStates).nullable(),
  status: z.string().nullable(),
  lastEvent: auditEventSchema.pick({ id: true, event: true, at: true }).nullable(),
  /** What is wrong with it, such as the detail of its crash; null if it runs as it should. */
  note: orNull({
    kind: z.enum(['crashed', 'over budget', 'revoked module']),
    detail: z.string().nullable(),
  }),
})
export type SupervisorChild = z.infer<typeof supervisorChildSchema>

export const supervisorSchema = record('Supervisor', {
  id: stored.name('id'),
  name: stored.name('name'),
  state: stored.word('status', agentStates),
  status: stored.text('status'),
  /** one-for-one, one-for-all, rest-for-one; any other word unchanged. */
  strategy: stored.text('strategy'),
  maxRestarts: stored.whole('max_restarts'),
  windowSeconds: stored.whole('restart_window'),
  createdAt: stored.time('created_at'),
  /** Null if the audit contains no restart of any agent: then nothing is known. */
  restarts: restartsSchema.nullable(),
  /** A child has crashed or is missing, the limit is reached, or the supervisor itself is not running. */
  trouble: z.boolean(),
  counts: stateCountsSchema,
  /** Children that are not agents. */
  missing: z.int(),
  /** By position. */
  children: z.array(supervisorChildSchema),
})
export type Supervisor = z.infer<typeof supervisorSchema>

const agentOverviewSchema = record('AgentOverview', {
  stamp: agentStampSchema,
  /**
   * Most serious first: mismatches, crashes, revoked modules, exceeded budgets, budgets that have reached their alert
   * threshold; at most 50.
   */
  alerts: z.array(agentAlertSchema),
  alertsTotal: z.int(),
  agents: z.strictObject({ total: z.int(), counts: stateCountsSchema }).nullable(),
  spent: orNull({
    today: spendSchema,
    yesterday: spendSchema,
    /** By midnight (UTC). */
    expected: expectedSchema.nullable(),
  }),
  audit: auditSummarySchema.nullable(),
  /** Of the last hour. */
  broker: orNull({ together: routeSumSchema, ...routesByType }),
  /** Today, by hour and model. */
  chart: spendChartSchema.nullable(),
  /** The newest ten audit rows. */
  events: z.array(auditEventSchema),
})
export type AgentOverview = z.infer<typeof agentOverviewSchema>

export const agentTable = tableRoutes('list', {
  rows: 'agents',
  filter: agentFilter,
  row: agentRowSchema,
  more: {
    total: z.int(),
    /** Of all agents that match the other filters. */
    counts: stateCountsSchema,
    /** Names to filter by. */
    supervisors: z.array(z.string()),
  },
})

/** As CSV, one row per child. */
export const supervisorFiles = fileRoutes('supervisors', 'supervisors with their children', z.object({}))

export const deskAgentRoutes = {
  ...deskAgentProjectRoutes,
  getAgentOverview: agentRoute(
    'overview',
    'Get alerts and the state of the agents',
    reply(agentOverviewSchema, 'The overview; a part is null if its table is missing or not counted yet'),
  ),
  listDeskAgents: agentTable.list,
  getDeskAgent: agentRoute(
    'agent',
    'Get everything known about an agent',
    reply(agentPageSchema, 'The agent; null if there is no agent with this name'),
    z.object({ name: agentNameSchema }),
  ),
  listDeskSupervisors: agentRoute(
    'supervisors',
    'List all supervisors with their children',
    reply(
      z.strictObject({
        stamp: agentStampSchema,
        /** By name. */
        items: z.array(supervisorSchema),
        /** Agents without a supervisor; null if the agents are unknown. */
        unsupervised: z.int().nullable(),
      }),
      'The supervision tree',
    ),
  ),
  getSupervisorRestarts: agentRoute(
    'supervisors/restarts',
    "Get the restarts and exits of a supervisor's children in the last 30 minutes",
    reply(
      z.strictObject({
        stamp: agentStampSchema,
        /** The last 30 minutes, oldest first; null if the audit contains no restart at all. */
        minutes: z.array(z.strictObject({ from: instantSchema, restarts: z.int() })).nullable(),
        /** The newest 20 audit rows about an exit or a crash of a child, regardless of time. */
        exits: z.array(auditEventSchema),
        /** Number of such rows; null during the first count. */
        exitsTotal: z.int().nullable(),
      }),
      'Restarts per minute and latest exits; empty for an unknown supervisor',
    ),
    z.object({ id: agentNameSchema }),
  ),
  exportAgentsCsv: agentTable.csv,
  exportAgentsJson: agentTable.json,
  exportSupervisorsCsv: supervisorFiles.csv,
  exportSupervisorsJson: supervisorFiles.json,
  ...deskAgentCostRoutes,
  ...deskAgentAuditRoutes,
  ...deskAgentTableRoutes,
}

type Routes = typeof deskAgentRoutes

/** The query parameters of a view. */
export type AgentQuery<Key extends keyof Routes> = Routes[Key] extends { query?: infer Query }
  ? z.output<NonNullable<Query>>
  : undefined

/** The answer of a view, without the stamp. */
export type AgentAnswer<Key extends keyof Routes> =
  Routes[Key]['reply'] extends JsonReply<infer Answer> ? Omit<z.output<Answer>, 'stamp'> : never
