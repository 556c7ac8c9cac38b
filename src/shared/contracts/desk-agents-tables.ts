import { z } from 'zod'
import { reply } from '../route.ts'
import {
  agentNameSchema,
  agentPeriodQuery,
  agentRoute,
  agentSearchSchema,
  agentStampSchema,
  agentStates,
  agentTimeSchema,
  facetSchema,
  facetValueSchema,
  orderSchema,
  orNull,
  record,
  tableRoutes,
} from './desk-agents-common.ts'
import { stored } from './agent-columns.ts'

export const trustRecordSchema = record('AgentTrust', {
  agent: stored.name('agent_name'),
  /** Whether there is such an agent. */
  known: z.boolean(),
  auid: stored.text('auid'),
  tier: stored.text('trust_tier'),
  score: stored.number('t_score'),
  rating: stored.text('credit_rating'),
  verifiedAt: stored.time('verified_at'),
  status: stored.text('status'),
})
export type AgentTrust = z.infer<typeof trustRecordSchema>

export const trustSorts = ['agent', 'tier', 'score', 'rating', 'verified', 'status'] as const

const trustFilter = z.object({
  q: agentSearchSchema.describe('Text in the agent name or AUID.'),
  tier: facetValueSchema.optional(),
  rating: facetValueSchema.optional(),
  status: facetValueSchema.optional(),
  sort: z.enum(trustSorts).default('agent').describe('Unknown values come last in either order.'),
  order: orderSchema.default('asc'),
})

export const edgeDeploymentSchema = record('EdgeDeployment', {
  agent: stored.name('agent_name'),
  /** State of the agent; null if there is no such agent. */
  agentState: z.enum(agentStates).nullable(),
  worker: stored.text('worker_name'),
  region: stored.text('region'),
  status: stored.text('status'),
  /** As stored; only http and https may become links. */
  url: stored.text('url'),
  deployedAt: stored.time('deployed_at'),
})
export type EdgeDeployment = z.infer<typeof edgeDeploymentSchema>

export const edgeSorts = ['agent', 'worker', 'region', 'status', 'deployed'] as const

const edgeFilter = z.object({
  q: agentSearchSchema.describe('Text in the agent, worker or URL.'),
  region: facetValueSchema.optional(),
  status: facetValueSchema.optional(),
  sort: z.enum(edgeSorts).default('agent').describe('Unknown values come last in either order.'),
  order: orderSchema.default('asc'),
})

/** What a route was handled by; any other word in the database is `other`. */
export const handlerTypes = ['skill', 'wasm', 'llm', 'other'] as const
export type HandlerType = (typeof handlerTypes)[number]

/** Number of routes by what handled them. */
export const routesByType = { skill: z.int(), wasm: z.int(), llm: z.int(), other: z.int() }

export const routeSumSchema = record('RouteSum', {
  routes: z.int(),
  /** Of routes with a valid cost; null if there are routes but none has one. */
  cents: z.number().nullable(),
  /** Milliseconds, exact, by nearest rank; null if no route has a latency. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
})
export type RouteSum = z.infer<typeof routeSumSchema>

export const brokerRouteSchema = record('BrokerRoute', {
  id: stored.name('id'),
  task: stored.text('task'),
  handler: stored.text('handler'),
  type: stored.word('handler_type', handlerTypes),
  cents: stored.number('cost_cents'),
  latencyMs: stored.number('latency_ms'),
  at: stored.time('created_at'),
})
export type BrokerRoute = z.infer<typeof brokerRouteSchema>

export const projectSkillSchema = record('ProjectSkill', {
  name: stored.name('name'),
  version: stored.text('version'),
  source: stored.text('source'),
  wasmPath: stored.text('wasm_path'),
  description: stored.text('description'),
  installedAt: stored.time('installed_at'),
  /** Routes with this name as handler in the period. */
  routes: z.int().nullable(),
})

const agentBrokerSchema = record('AgentBroker', {
  stamp: agentStampSchema,
  time: agentTimeSchema,
  /** Null during the first count. */
  together: routeSumSchema.nullable(),
  byType: z.array(z.strictObject({ type: z.enum(handlerTypes), sum: routeSumSchema })),
  /** Most routes first, at most 50, and the total number. */
  byHandler: z.strictObject({
    items: z.array(
      z.strictObject({ handler: z.string().nullable(), type: z.enum(handlerTypes), sum: routeSumSchema }),
    ),
    total: z.int(),
  }),
  /**
   * Compared with the cost if an LLM had handled every route, at the mean price of the LLM routes of the period. Null
   * if none of them has a price.
   */
  saved: orNull({
    cents: z.number(),
    allLlmCents: z.number(),
    /** The mean price, and the number of LLM routes it is based on. */
    llmRouteCents: z.number(),
    llmRoutes: z.int(),
  }),
  bucket: z.enum(['minute', 'hour', 'day']),
  buckets: z.array(
    z.strictObject({
      ...agentTimeSchema.shape,
      ...routesByType,
      p50: z.number().nullable(),
      p95: z.number().nullable(),
    }),
  ),
  /** By name. */
  skills: z.array(projectSkillSchema),
})
export type AgentBroker = z.infer<typeof agentBrokerSchema>

const routeFilter = z.object({
  ...agentPeriodQuery,
  type: z.enum(handlerTypes).optional(),
  handler: agentNameSchema.optional(),
})

export const trustTable = tableRoutes('trust', {
  rows: 'trust records',
  filter: trustFilter,
  row: trustRecordSchema,
  /** Values to filter by, regardless of the current filter. */
  more: { total: z.int(), tiers: facetSchema, ratings: facetSchema, statuses: facetSchema },
})

export const edgeTable = tableRoutes('edge', {
  rows: 'edge deployments',
  filter: edgeFilter,
  row: edgeDeploymentSchema,
  /** Values to filter by, regardless of the current filter. */
  more: { total: z.int(), regions: facetSchema, statuses: facetSchema },
})

export const routeTable = tableRoutes('routes', {
  rows: 'broker routes',
  order: 'newest first',
  filter: routeFilter,
  row: brokerRouteSchema,
  /** Null during the first count. */
  more: { total: z.int().nullable() },
})

export const deskAgentTableRoutes = {
  listTrust: trustTable.list,
  listEdge: edgeTable.list,
  getAgentBroker: agentRoute(
    'broker',
    'Get broker routes over a period: handlers, latency and savings',
    reply(agentBrokerSchema, 'Totals, charts and skills'),
    z.object(agentPeriodQuery),
  ),
  listBrokerRoutes: routeTable.list,
  exportTrustCsv: trustTable.csv,
  exportTrustJson: trustTable.json,
  exportEdgeCsv: edgeTable.csv,
  exportEdgeJson: edgeTable.json,
  exportRoutesCsv: routeTable.csv,
  exportRoutesJson: routeTable.json,
}
