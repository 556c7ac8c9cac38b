import { brokerRouteSchema, handlerTypes } from '../../../shared/contracts/desk-agents-tables.ts'
import type {
  AgentBroker,
  BrokerRoute,
  HandlerType,
  RouteSum,
} from '../../../shared/contracts/desk-agents-tables.ts'
import type { AgentAnswer } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { storedRecord } from '../records.ts'
import { newestPage, viewQuery, where } from './desk-query.ts'
import { roundCents } from './forecast.ts'
import { bucketsBy, bucketsOf, hourMs, iso, spanOf } from './times.ts'
import type { TimeSpan } from './times.ts'

const handlerRows = 50

export const getAgentBroker = viewQuery<'getAgentBroker'>({
  needs: ['routes', 'skills'],
  compute({ mirror, now }, params) {
    const span = spanOf(params, now)
    const isHour = span.to - span.from <= hourMs
    const { bucket, ms, starts } = isHour ? bucketsBy('minute', span) : bucketsOf(span)
    const answer: AgentAnswer<'getAgentBroker'> = {
      time: { from: iso(span.from), to: iso(span.to) },
      together: null,
      byType: [],
      byHandler: { items: [], total: 0 },
      saved: null,
      bucket,
      buckets: [],
      skills: skillsOf(mirror, span),
    }
    if (!mirror.isKnown('routes')) return answer
    const together = new RouteGroup()
    const types = new Map(handlerTypes.map((type) => [type, new RouteGroup()]))
    const handlers = new Map<string, { handler: string | null; type: HandlerType; group: RouteGroup }>()
    const buckets = starts.map(() => new RouteGroup())
    for (const route of routesOf(mirror, span)) {
      const { at, type, handler } = route
      together.add(route)
      types.get(type)?.add(route)
      const key = `${type} ${handler ?? ''}${handler === null ? ' ' : ''}`
      const own = handlers.get(key) ?? { handler, type, group: new RouteGroup() }
      handlers.set(key, own)
      own.group.add(route)
      buckets[Math.floor((at - (starts[0] ?? 0)) / ms)]?.add(route)
    }
    const items = [...handlers.values()]
      .toSorted((one, other) => other.group.routes - one.group.routes)
      .slice(0, handlerRows)
    return {
      ...answer,
      together: together.toSum(),
      byType: [...types].map(([type, group]) => ({ type, sum: group.toSum() })),
      byHandler: {
        items: items.map(({ handler, type, group }) => ({ handler, type, sum: group.toSum() })),
        total: handlers.size,
      },
      saved: savedOf(together, types.get('llm') ?? new RouteGroup()),
      buckets: starts.map((start, place) => {
        const group = buckets[place] ?? new RouteGroup()
        const { p50, p95 } = group.toSum()
        return { from: iso(start), to: iso(start + ms), ...group.types, p50, p95 }
      }),
    }
  },
})

/** Compared with the mean price of an LLM route; routes without a price are not counted as savings. */
function savedOf(together: RouteGroup, llm: RouteGroup): AgentBroker['saved'] {
  if (llm.priced === 0) return null
  const llmRouteCents = llm.cents / llm.priced
  const allLlmCents = llmRouteCents * together.priced
  return {
    cents: roundCents(allLlmCents - together.cents),
    allLlmCents: roundCents(allLlmCents),
    llmRouteCents: roundCents(llmRouteCents),
    llmRoutes: llm.priced,
  }
}

const skillsOf = (mirror: Mirror, { from, to }: TimeSpan): AgentBroker['skills'] =>
  mirror.all<AgentBroker['skills'][number]>(
    `SELECT name, version, source, wasmPath, description, installedAt,
       ${mirror.isKnown('routes') ? 'coalesce(count, 0)' : 'NULL'} AS routes
     FROM skills
     LEFT JOIN (SELECT handler, count(*) AS count FROM routes WHERE at >= ? AND at < ? GROUP BY handler) ON handler = name
     ORDER BY name, key`,
    from,
    to,
  )

const route = storedRecord<BrokerRoute>(brokerRouteSchema)

export const listBrokerRoutes = viewQuery<'listBrokerRoutes'>({
  needs: ['routes'],
  compute(context, { type, handler, ...params }) {
    const { from, to } = spanOf(params, context.now)
    const filter = where(['at >= ?', from], ['at < ?', to], ['type = ?', type], ['handler = ?', handler])
    return newestPage(context, 'routes', route, filter, params)
  },
})

type Route = Pick<BrokerRoute, 'type' | 'handler' | 'cents' | 'latencyMs'> & { at: number }

/** The routes of a period, oldest first. */
export const routesOf = (mirror: Mirror, { from, to }: TimeSpan): Iterable<Route> =>
  mirror.each<Route>(
    'SELECT at, type, handler, cents, latencyMs FROM routes WHERE at >= ? AND at < ? ORDER BY at',
    from,
    to,
  )

/** Statistics over a group of routes. */
export class RouteGroup {
  readonly types: Record<HandlerType, number> = { skill: 0, wasm: 0, llm: 0, other: 0 }
  routes = 0
  priced = 0
  cents = 0
  private readonly latencies: number[] = []

  add({ type, cents, latencyMs }: Route): void {
    this.types[type] += 1
    this.routes += 1
    if (cents !== null) {
      this.priced += 1
      this.cents += cents
    }
    if (latencyMs !== null) this.latencies.push(latencyMs)
  }

  toSum(): RouteSum {
    const latencies = Float64Array.from(this.latencies).toSorted()
    return {
      routes: this.routes,
      cents: this.routes > 0 && this.priced === 0 ? null : roundCents(this.cents),
      p50: nearestRank(latencies, 0.5),
      p95: nearestRank(latencies, 0.95),
    }
  }
}

/** The smallest of these sorted values that at least this share of them does not exceed; null without values. */
export function nearestRank(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
