import { z } from 'zod'
import { reply, route } from '../route.ts'
import {
  agentErrors,
  agentOffsetSchema,
  agentPeriodQuery,
  agentSearchSchema,
  agentStampSchema,
  agentStates,
  agentTimeSchema,
  exportRoutes,
  orderSchema,
} from './desk-agents-common.ts'
import { instantSchema } from './desk-common.ts'

// Trust, broker and edge: part of the desk's own interface, on the loopback listener under /desk/api.

const facetSchema = z.array(z.strictObject({ name: z.string(), rows: z.int() }))

export const trustRecordSchema = z
  .strictObject({
    agent: z.string(),
    /** Whether there is such an agent. */
    known: z.boolean(),
    auid: z.string().nullable(),
    tier: z.string().nullable(),
    score: z.number().nullable(),
    rating: z.string().nullable(),
    verifiedAt: instantSchema.nullable(),
    status: z.string().nullable(),
  })
  .meta({ id: 'AgentTrust' })
export type AgentTrust = z.infer<typeof trustRecordSchema>

export const trustSorts = ['agent', 'tier', 'score', 'rating', 'verified', 'status'] as const

const trustFilter = z.object({
  q: agentSearchSchema.describe('Part of the agent or the AUID.'),
  tier: z.string().max(200).optional(),
  rating: z.string().max(200).optional(),
  status: z.string().max(200).optional(),
  sort: z.enum(trustSorts).default('agent').describe('Unknown is last in either order.'),
  order: orderSchema.default('asc'),
})

export const edgeDeploymentSchema = z
  .strictObject({
    agent: z.string(),
    /** Of the agent; null where there is no such agent. */
    agentState: z.enum(agentStates).nullable(),
    worker: z.string().nullable(),
    region: z.string().nullable(),
    status: z.string().nullable(),
    /** As it stands; only http and https may become a link. */
    url: z.string().nullable(),
    deployedAt: instantSchema.nullable(),
  })
  .meta({ id: 'EdgeDeployment' })
export type EdgeDeployment = z.infer<typeof edgeDeploymentSchema>

export const edgeSorts = ['agent', 'worker', 'region', 'status', 'deployed'] as const

const edgeFilter = z.object({
  q: agentSearchSchema.describe('Part of the agent, the worker or the address.'),
  region: z.string().max(200).optional(),
  status: z.string().max(200).optional(),
  sort: z.enum(edgeSorts).default('agent').describe('Unknown is last in either order.'),
  order: orderSchema.default('asc'),
})

/** What a route's decision led to; any other word of the database is `other`. */
export const handlerTypes = ['skill', 'wasm', 'llm', 'other'] as const
export type HandlerType = (typeof handlerTypes)[number]

export const routeSumSchema = z
  .strictObject({
    routes: z.int(),
    /** Of those with a readable cost; null where there are routes and none has one. */
    cents: z.number().nullable(),
    /** Milliseconds, exact, by nearest rank; null where no route has a latency. */
    p50: z.number().nullable(),
    p95: z.number().nullable(),
  })
  .meta({ id: 'RouteSum' })
export type RouteSum = z.infer<typeof routeSumSchema>

export const brokerRouteSchema = z
  .strictObject({
    id: z.string(),
    task: z.string().nullable(),
    handler: z.string().nullable(),
    type: z.enum(handlerTypes),
    cents: z.number().nullable(),
    latencyMs: z.number().nullable(),
    at: instantSchema.nullable(),
  })
  .meta({ id: 'BrokerRoute' })
export type BrokerRoute = z.infer<typeof brokerRouteSchema>

export const projectSkillSchema = z
  .strictObject({
    name: z.string(),
    version: z.string().nullable(),
    source: z.string().nullable(),
    wasmPath: z.string().nullable(),
    description: z.string().nullable(),
    installedAt: instantSchema.nullable(),
    /** Routes with this name as handler in the time shown. */
    routes: z.int().nullable(),
  })
  .meta({ id: 'ProjectSkill' })
export type ProjectSkill = z.infer<typeof projectSkillSchema>

export const agentBrokerSchema = z
  .strictObject({
    stamp: agentStampSchema,
    time: agentTimeSchema,
    /** Null while rows are counted the first time. */
    together: routeSumSchema.nullable(),
    byType: z.array(z.strictObject({ type: z.enum(handlerTypes), sum: routeSumSchema })),
    /** Most routes first, at most 50, and how many there are. */
    byHandler: z.strictObject({
      items: z.array(
        z.strictObject({ handler: z.string().nullable(), type: z.enum(handlerTypes), sum: routeSumSchema }),
      ),
      total: z.int(),
    }),
    /**
     * What it would have cost had an LLM handled every route, at the mean price of the LLM routes of the same time. Null
     * where none of them has a price.
     */
    saved: z
      .strictObject({
        cents: z.number(),
        allLlmCents: z.number(),
        /** The mean price and how many LLM routes it comes from. */
        llmRouteCents: z.number(),
        llmRoutes: z.int(),
      })
      .nullable(),
    bucket: z.enum(['minute', 'hour', 'day']),
    buckets: z.array(
      z.strictObject({
        from: instantSchema,
        to: instantSchema,
        skill: z.int(),
        wasm: z.int(),
        llm: z.int(),
        other: z.int(),
        p50: z.number().nullable(),
        p95: z.number().nullable(),
      }),
    ),
    /** By name. */
    skills: z.array(projectSkillSchema),
  })
  .meta({ id: 'AgentBroker' })
export type AgentBroker = z.infer<typeof agentBrokerSchema>

const brokerTime = z.object(agentPeriodQuery)
const routeFilter = z.object({
  ...agentPeriodQuery,
  type: z.enum(handlerTypes).optional(),
  handler: z.string().max(500).optional(),
})

export type TrustFilter = z.output<typeof trustFilter>
export type EdgeFilter = z.output<typeof edgeFilter>
export type RouteFilter = z.output<typeof routeFilter>

export const deskAgentTableRoutes = {
  listTrust: route({
    method: 'GET',
    path: '/desk/api/agents/trust',
    tag: 'Desk',
    summary: 'List trust records, 200 a page',
    access: 'administrator',
    query: trustFilter.extend({ offset: agentOffsetSchema }),
    reply: reply(
      z.strictObject({
        stamp: agentStampSchema,
        items: z.array(trustRecordSchema),
        total: z.int(),
        /** What can be filtered by, whatever the filter. */
        tiers: facetSchema,
        ratings: facetSchema,
        statuses: facetSchema,
      }),
      'A page, and how many there are for the filter',
    ),
    errors: agentErrors,
  }),
  listEdge: route({
    method: 'GET',
    path: '/desk/api/agents/edge',
    tag: 'Desk',
    summary: 'List edge deployments, 200 a page',
    access: 'administrator',
    query: edgeFilter.extend({ offset: agentOffsetSchema }),
    reply: reply(
      z.strictObject({
        stamp: agentStampSchema,
        items: z.array(edgeDeploymentSchema),
        total: z.int(),
        /** What can be filtered by, whatever the filter. */
        regions: facetSchema,
        statuses: facetSchema,
      }),
      'A page, and how many there are for the filter',
    ),
    errors: agentErrors,
  }),
  getAgentBroker: route({
    method: 'GET',
    path: '/desk/api/agents/broker',
    tag: 'Desk',
    summary: 'Tell what the broker has routed to whom in a time, how fast, and what that has saved',
    access: 'administrator',
    query: brokerTime,
    reply: reply(agentBrokerSchema, 'Figures, charts and skills'),
    errors: agentErrors,
  }),
  listBrokerRoutes: route({
    method: 'GET',
    path: '/desk/api/agents/routes',
    tag: 'Desk',
    summary: 'List the decisions of the broker, newest first, 200 a page',
    access: 'administrator',
    query: routeFilter.extend({ offset: agentOffsetSchema }),
    reply: reply(
      z.strictObject({
        stamp: agentStampSchema,
        items: z.array(brokerRouteSchema),
        /** Null while rows are counted the first time. */
        total: z.int().nullable(),
      }),
      'A page, and how many there are for the filter',
    ),
    errors: agentErrors,
  }),
  ...exportRoutes('Trust', 'trust', 'trust records', trustFilter),
  ...exportRoutes('Edge', 'edge', 'edge deployments', edgeFilter),
  ...exportRoutes('Routes', 'routes', 'the decisions of the broker', routeFilter),
}
