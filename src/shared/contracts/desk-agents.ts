import { z } from 'zod'
import { reply } from '../route.ts'
import type { JsonReply } from '../route.ts'
import { auditRowSchema, auditSummarySchema, deskAgentAuditRoutes } from './desk-agents-audit.ts'
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
  spendSchema,
  stateCountsSchema,
  tableRoutes,
  record,
  orNull,
} from './desk-agents-common.ts'
import { agentBudgetSchema, deskAgentCostRoutes, spendChartSchema } from './desk-agents-cost.ts'
import { deskAgentProjectRoutes } from './desk-agents-project.ts'
import {
  deskAgentTableRoutes,
  edgeDeploymentSchema,
  routeSumSchema,
  trustRecordSchema,
} from './desk-agents-tables.ts'
import { instantSchema } from './desk-common.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** An agent as its table holds it, with what other tables tell of it. */
export const agentRowSchema = record('AgentRow', {
  name: z.string(),
  state: z.enum(agentStates),
  /** The word of the database, which says more where `state` is `unknown`. */
  status: z.string().nullable(),
  /** The first by name where several name it. */
  supervisor: z.string().nullable(),
  source: z.string().nullable(),
  /** Of its module: the release it came from (the revoked one, where there are several); null where none is known. */
  release: moduleReleaseSchema.nullable(),
  /** Its newest audit row; where it has none its `updated_at`. */
  lastActivityAt: instantSchema.nullable(),
  /** Null while rows are counted the first time. */
  spentToday: spendSchema.nullable(),
  spentMonth: spendSchema.nullable(),
  createdAt: instantSchema.nullable(),
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

export const agentPageSchema = record('AgentPage', {
  stamp: agentStampSchema,
  agent: z
    .strictObject({
      ...agentRowSchema.shape,
      template: z.string().nullable(),
      pid: z.int().nullable(),
      updatedAt: instantSchema.nullable(),
      module: agentModuleSchema.nullable(),
      /** Every supervisor that names it, and its place there. */
      supervisors: z.array(z.strictObject({ name: z.string(), position: z.int().nullable() })),
      budget: agentBudgetSchema.nullable(),
      trust: trustRecordSchema.nullable(),
      deployments: z.array(edgeDeploymentSchema),
      /** Expected by midnight; null where too little is known, and of an agent that does not run. */
      expectedToday: expectedSchema.nullable(),
      /** The last 30 days by model. Null while rows are counted the first time. */
      chart: spendChartSchema.nullable(),
      alerts: z.array(agentAlertSchema),
      /** Its newest audit rows, at most 50; all of them through the audit with `agent`. */
      timeline: z.array(auditRowSchema),
      /** All of its audit rows; null while rows are counted the first time. */
      timelineTotal: z.int().nullable(),
    })
    // There is no such agent (any more); what other tables still hold of the name is told all the same.
    .nullable(),
  /** Where there is no such agent: tables that still name it. */
  namedIn: z.array(z.string()),
})
export type AgentPage = z.infer<typeof agentPageSchema>

/** Restarts that the audit tells of: rows whose event is a restart, or a start whose detail names a restart. */
export const restartsSchema = record('SupervisorRestarts', {
  /**
   * Within the supervisor's window: the one that ends now; or, where a child has been crashed since the newest restart and
   * the limit was reached then, the one that ended with that.
   */
  inWindow: z.int(),
  /** As many as are allowed, or more. */
  limitReached: z.boolean(),
  lastAt: instantSchema.nullable(),
})

export const supervisorChildSchema = record('SupervisorChild', {
  agent: z.string(),
  position: z.int().nullable(),
  /** Null where there is no such agent. */
  state: z.enum(agentStates).nullable(),
  status: z.string().nullable(),
  lastEvent: z
    .strictObject({ id: z.int(), event: z.string().nullable(), at: instantSchema.nullable() })
    .nullable(),
  /** What is to be said of it, such as the detail of its crash; null where it runs as it should. */
  note: orNull({
    kind: z.enum(['crashed', 'over budget', 'revoked module']),
    detail: z.string().nullable(),
  }),
})
export type SupervisorChild = z.infer<typeof supervisorChildSchema>

export const supervisorSchema = record('Supervisor', {
  id: z.string(),
  name: z.string(),
  state: z.enum(agentStates),
  status: z.string().nullable(),
  /** one-for-one, one-for-all, rest-for-one; any other word as it stands. */
  strategy: z.string().nullable(),
  maxRestarts: z.int().nullable(),
  windowSeconds: z.int().nullable(),
  createdAt: instantSchema.nullable(),
  /** Null where the audit tells of no restart at all, of any agent: then nothing is known. */
  restarts: restartsSchema.nullable(),
  /** A child is crashed or not there, the limit is reached, or its own state is not running. */
  trouble: z.boolean(),
  counts: stateCountsSchema,
  /** Children that are no agents. */
  missing: z.int(),
  /** By position. */
  children: z.array(supervisorChildSchema),
})
export type Supervisor = z.infer<typeof supervisorSchema>

const auditEventSchema = z.strictObject({
  id: z.int(),
  at: instantSchema.nullable(),
  agent: z.string().nullable(),
  event: z.string().nullable(),
  detail: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

export const agentOverviewSchema = record('AgentOverview', {
  stamp: agentStampSchema,
  /** Worst first: mismatches, crashes, revoked modules, budgets over, budgets past their mark; at most 50. */
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
  broker: orNull({
    together: routeSumSchema,
    skill: z.int(),
    wasm: z.int(),
    llm: z.int(),
    other: z.int(),
  }),
  /** Today, by hour and model. */
  chart: spendChartSchema.nullable(),
  /** The newest ten audit rows. */
  events: z.array(auditEventSchema),
})
export type AgentOverview = z.infer<typeof agentOverviewSchema>

export const agentTable = tableRoutes('list', {
  list: 'agents',
  files: 'agents',
  filter: agentFilter,
  row: agentRowSchema,
  more: {
    /** Of all agents that pass the rest of the filter. */
    counts: stateCountsSchema,
    /** Names to filter by. */
    supervisors: z.array(z.string()),
  },
})

export const supervisorFiles = fileRoutes(
  'supervisors',
  { csv: 'supervisors, one row per child', json: 'supervisors with their children' },
  z.object({}),
)

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
        /** Agents that no supervisor names; null where the agents are not known. */
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
        /** One for each minute, oldest first, 30 of them; null where the audit tells of no restart at all. */
        minutes: z.array(z.strictObject({ from: instantSchema, restarts: z.int() })).nullable(),
        /** The newest 20 audit rows about an exit or a crash of a child, of any time. */
        exits: z.array(auditEventSchema),
        /** How many such rows there are; null while rows are counted the first time. */
        exitsTotal: z.int().nullable(),
      }),
      'Restarts per minute and latest exits; empty for an unknown supervisor',
    ),
    z.object({ id: z.string().max(500) }),
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

/** What a view is asked. */
export type AgentQuery<Key extends keyof Routes> = Routes[Key] extends { query?: infer Query }
  ? z.output<NonNullable<Query>>
  : undefined

/** What a view answers, but for the stamp. */
export type AgentAnswer<Key extends keyof Routes> =
  Routes[Key]['reply'] extends JsonReply<infer Answer> ? Omit<z.output<Answer>, 'stamp'> : never
