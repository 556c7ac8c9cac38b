import { handlerTypes } from '../../../shared/contracts/desk-agents-tables.ts'
import type { AgentBroker, BrokerRoute, HandlerType } from '../../../shared/contracts/desk-agents-tables.ts'
import { numberOf, textOf, timeOf } from '../cell-values.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { deskQuery } from '../memory/desk-query.ts'
import { RouteGroup, eachRoute } from '../memory/route-sums.ts'
import { typeOf } from '../memory/route-tape.ts'
import { rowsOf } from '../memory/rows-of.ts'
import { roundCents } from '../memory/spend.ts'
import { dayMs, hourMs, iso, spanOf, startsOf } from '../memory/times.ts'
import type { PeriodParams, TimeSpan } from '../memory/times.ts'

export type BrokerValue = Omit<AgentBroker, 'stamp'>

const handlerRows = 50
const minuteMs = 60_000
const bucketMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const

const emptyBroker = (params: PeriodParams, now = Date.now()): BrokerValue => {
  const span = spanOf(params, now)
  return {
    time: { from: iso(span.from), to: iso(span.to) },
    together: null,
    byType: [],
    byHandler: { items: [], total: 0 },
    saved: null,
    bucket: bucketOf(span),
    buckets: [],
    skills: [],
  }
}

function bucketOf({ from, to }: TimeSpan): AgentBroker['bucket'] {
  if (to - from <= hourMs) return 'minute'
  return to - from <= 2 * dayMs ? 'hour' : 'day'
}

export const deskBroker = deskQuery<PeriodParams, BrokerValue>({
  needs: ['routes', 'skills'],
  compute({ memory, now }, params) {
    const span = spanOf(params, now)
    const base = { ...emptyBroker(params, now), skills: skillsOf(memory, span) }
    if (!memory.routes.tape.isComplete || !memory.routes.tape.isThere) return base
    const together = new RouteGroup()
    const types = handlerTypes.map(() => new RouteGroup())
    const handlers = new Map<number, RouteGroup>()
    eachRoute(memory.routes, span, (cells, index) => {
      together.add(cells, index)
      types[cells.type[index] ?? 0]?.add(cells, index)
      const key = (cells.handler[index] ?? 0) * handlerTypes.length + (cells.type[index] ?? 0)
      const handler = handlers.get(key) ?? new RouteGroup()
      handler.add(cells, index)
      handlers.set(key, handler)
    })
    const byType = handlerTypes.map((type, place) => ({ type, group: types[place] ?? new RouteGroup() }))
    return {
      ...base,
      together: together.toSum(),
      byType: byType.map(({ type, group }) => ({ type, sum: group.toSum() })),
      byHandler: handlersOf(memory, handlers),
      saved: savedOf(together, types[handlerTypes.indexOf('llm')] ?? new RouteGroup()),
      buckets: bucketsOf(memory, span),
    }
  },
  empty: emptyBroker,
})

function handlersOf(
  memory: AgentsMemory,
  handlers: ReadonlyMap<number, RouteGroup>,
): AgentBroker['byHandler'] {
  const most = [...handlers].toSorted(([, one], [, other]) => other.routes - one.routes).slice(0, handlerRows)
  return {
    items: most.map(([key, group]) => ({
      handler: memory.routes.handlers.textOf(Math.floor(key / handlerTypes.length)),
      type: handlerTypes[key % handlerTypes.length] ?? 'other',
      sum: group.toSum(),
    })),
    total: handlers.size,
  }
}

/** Against the mean price of an LLM route; a route whose own price is unknown has saved nothing that could be told. */
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

function bucketsOf(memory: AgentsMemory, span: TimeSpan): AgentBroker['buckets'] {
  const ms = bucketMs[bucketOf(span)]
  const starts = startsOf(span.from, span.to, ms)
  const first = starts[0] ?? 0
  const groups = starts.map(() => ({ whole: new RouteGroup(), types: handlerTypes.map(() => 0) }))
  eachRoute(memory.routes, span, (cells, index) => {
    const group = groups[Math.floor(((cells.at[index] ?? 0) - first) / ms)]
    if (group === undefined) return
    group.whole.add(cells, index)
    const type = cells.type[index] ?? 0
    group.types[type] = (group.types[type] ?? 0) + 1
  })
  return groups.map(({ whole, types }, place) => {
    const start = starts[place] ?? 0
    const { p50, p95 } = whole.toSum()
    const [skill = 0, wasm = 0, llm = 0, other = 0] = types
    return { from: iso(start), to: iso(start + ms), skill, wasm, llm, other, p50, p95 }
  })
}

function skillsOf(memory: AgentsMemory, span: TimeSpan): AgentBroker['skills'] {
  const { routes, skills } = memory
  const counts = new Map<number, number>()
  eachRoute(routes, span, (cells, index) => {
    const handler = cells.handler[index] ?? 0
    counts.set(handler, (counts.get(handler) ?? 0) + 1)
  })
  const isKnown = routes.tape.isComplete && routes.tape.isThere
  return skills.rows
    .map((skill) => {
      const code = routes.handlers.find(skill.name)
      return { ...skill, routes: isKnown ? (code === null ? 0 : (counts.get(code) ?? 0)) : null }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export interface RoutesParams extends PeriodParams {
  type?: HandlerType | undefined
  handler?: string | undefined
  offset: number
  limit: number
}

const columns = ['id', 'task', 'handler', 'handler_type', 'cost_cents', 'latency_ms', 'created_at']

export const deskRoutesList = deskQuery<RoutesParams, { items: BrokerRoute[]; total: number | null }>({
  needs: ['routes'],
  compute({ memory, database, now }, params) {
    const { tape, handlers } = memory.routes
    const { from, to } = spanOf(params, now)
    const handler = params.handler === undefined ? null : (handlers.find(params.handler) ?? -1)
    const type = params.type === undefined ? null : handlerTypes.indexOf(params.type)
    const keys: number[] = []
    let total = 0
    for (const { keys: own, cells } of tape.blocks.toReversed()) {
      for (let index = own.length - 1; index >= 0; index -= 1) {
        const at = cells.at[index] ?? Number.NaN
        if (!(at >= from && at < to)) continue
        if (handler !== null && cells.handler[index] !== handler) continue
        if (type !== null && cells.type[index] !== type) continue
        if (total >= params.offset && keys.length < params.limit) keys.push(own[index] ?? 0)
        total += 1
      }
    }
    const items = rowsOf(memory, database, 'routes', keys, columns).map((row) => ({
      id: textOf(row['id']) ?? textOf(row['key']) ?? '',
      task: textOf(row['task']),
      handler: textOf(row['handler']),
      type: typeOf(row['handler_type']),
      cents: numberOf(row['cost_cents']),
      latencyMs: numberOf(row['latency_ms']),
      at: timeOf(row['created_at']),
    }))
    return { items, total: tape.isComplete ? total : null }
  },
  empty: () => ({ items: [], total: 0 }),
})
