import { z } from 'zod'
import { readRoutes, reply, section } from '../route.ts'
import { texts } from '../validation.texts.ts'

const record = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) => z.object(shape).meta({ id })

const text = z.string().nullable()
const whole = z.int().nullable()
const amount = z.number().nullable()
/** ISO 8601 with `Z`. */
const time = z.iso.datetime().nullable()
/** Section 2.9 requires a string here: empty if the project has no valid time. */
const timeText = z.union([z.iso.datetime(), z.literal('')])
const invalid = z
  .array(z.string())
  .optional()
  .describe('Fields whose value in the project is not a number; they are 0 here, meaning "unknown".')

/** Section 2.9. */
export const agentRecordSchema = record('AgentRecord', {
  id: text,
  name: z.string(),
  template: text,
  source: z.string().describe('Path of a WebAssembly module.'),
  status: z.string().describe('running, stopped, crashed or paused, unless the project uses another word.'),
  pid: whole,
  created_at: timeText,
  updated_at: time,
})

export const supervisorRecordSchema = record('SupervisorRecord', {
  name: text,
  strategy: text.describe('one-for-one, one-for-all or rest-for-one.'),
  max_restarts: whole,
  restart_window: whole.describe('Seconds.'),
  status: text,
  created_at: time,
  children: z.array(
    z.object({
      name: text,
      position: whole,
      status: text.describe('Status of the agent; null if there is no such agent.'),
    }),
  ),
})

/** Section 2.9. */
export const budgetRecordSchema = record('BudgetRecord', {
  agent_name: z.string(),
  budget_cents: z.int(),
  spent_cents: z.int(),
  period: z.string().describe('day, week or month.'),
  action: z.string().describe('alert, throttle or pause.'),
  alert_at: whole.describe('Percent of the budget.'),
  last_reset: time,
  invalid,
})

export const auditEntrySchema = record('AuditEntry', {
  id: whole,
  timestamp: time,
  lamport: whole,
  agent_name: text,
  event_type: text,
  detail: text,
  content_hash: text,
  verified: z
    .boolean()
    .describe(
      'Whether content_hash is the SHA-256 of lamport:agent_name:event_type:detail, in lowercase hex.',
    ),
  invalid: z
    .array(z.string())
    .optional()
    .describe('Fields larger than 256 KiB; they are null here, and the entry is not verified.'),
})

export const trustRecordSchema = record('TrustRecord', {
  agent_name: text,
  auid: text,
  trust_tier: text,
  t_score: whole,
  credit_rating: text,
  verified_at: time,
  status: text,
})

const brokerStatsSchema = record('BrokerStats', {
  total_routes: z.int(),
  skill_routes: z.int(),
  wasm_routes: z.int(),
  llm_routes: z.int(),
  total_cost_cents: z.number(),
  avg_latency_ms: amount.describe('null if no route has a latency.'),
  invalid: invalid.describe(
    '`total_cost_cents` if some routes have no cost; it is then the sum of the others.',
  ),
})

export const skillRecordSchema = record('InstalledSkill', {
  name: text,
  version: text,
  source: text,
  wasm_path: text,
  description: text,
  installed_at: time,
})

export const brokerRouteSchema = record('BrokerRoute', {
  id: z.union([z.int(), z.string()]).nullable(),
  task: text,
  handler: text,
  handler_type: text.describe('skill, wasm or llm.'),
  cost_cents: amount,
  latency_ms: amount,
  created_at: time,
})

export const deploymentRecordSchema = record('DeploymentRecord', {
  agent_name: text,
  worker_name: text,
  region: text,
  status: text,
  url: text,
  deployed_at: time,
})

export type SupervisorRecord = z.output<typeof supervisorRecordSchema>
export type BudgetRecord = z.output<typeof budgetRecordSchema>
export type AuditEntry = z.output<typeof auditEntrySchema>
export type BrokerStats = z.output<typeof brokerStatsSchema>

const auditListSchema = record('AuditList', {
  entries: z.array(auditEntrySchema),
  next: z.int().optional().describe('Value of `before` for the next page, if there are older entries.'),
})
const brokerSchema = record('Broker', {
  stats: brokerStatsSchema,
  skills: z.array(skillRecordSchema),
  recent: z.array(brokerRouteSchema).describe('The newest routes, newest first.'),
})

/** Entries per page of the audit (rulings, "Dashboard API"). */
export const auditPageSize = 500

export const auditQuerySchema = z.object({
  before: z
    .string()
    .regex(/^-?\d{1,16}$/, texts.entryId)
    .transform(Number)
    .pipe(z.number().int())
    .optional()
    .meta({ override: { type: 'integer', description: 'Entries older than the one with this id.' } }),
  q: z
    .string()
    .max(100)
    .optional()
    .describe('Entries whose agent, event or detail contains this text, case-insensitive.'),
})

const dashboardRoute = readRoutes('/api/', 'public', [
  'AGENTS_UNAVAILABLE',
  'HOST_FORBIDDEN',
  'ORIGIN_FORBIDDEN',
])

/** Section 4.5: the agent project's data, on the local listener only. */
export const dashboardRoutes = section('Dashboard', {
  listDashboardAgents: dashboardRoute(
    'agents',
    'List all agents of the chosen project, by name',
    reply(record('AgentList', { agents: z.array(agentRecordSchema) }), 'The agents'),
  ),
  listDashboardSupervisors: dashboardRoute(
    'supervisors',
    'List all supervisors with their children',
    reply(record('SupervisorList', { supervisors: z.array(supervisorRecordSchema) }), 'The supervisors'),
  ),
  listDashboardBudgets: dashboardRoute(
    'cost',
    'List budgets and their spending, by agent',
    reply(record('CostList', { budgets: z.array(budgetRecordSchema) }), 'The budgets'),
  ),
  listDashboardAudit: dashboardRoute(
    'audit',
    'List audit entries, newest first, 500 per page, each verified against its hash',
    reply(auditListSchema, 'The entries'),
    auditQuerySchema,
  ),
  listDashboardTrust: dashboardRoute(
    'trust',
    'List the trust records',
    reply(record('TrustList', { records: z.array(trustRecordSchema) }), 'The records'),
  ),
  getDashboardBroker: dashboardRoute(
    'broker',
    'Get broker statistics, installed skills and recent routes',
    reply(brokerSchema, 'The broker'),
  ),
  listDashboardDeployments: dashboardRoute(
    'edge',
    'List the edge deployments',
    reply(record('DeploymentList', { deployments: z.array(deploymentRecordSchema) }), 'The deployments'),
  ),
})
