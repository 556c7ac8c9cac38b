import type { BrokerRoute, BrokerStats, SkillRecord } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import type { AgentsQuery, Step } from '../agents-query.ts'
import { integerOf, numberOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'
import { firstSlice, nextSlice } from '../slices.ts'
import { recordKind } from '../records.ts'
import { recordsOf } from './public-lists.ts'

/** Routes that are named one by one. */
const recentRoutes = 50

interface Sums {
  routes: Record<'all' | 'skill' | 'wasm' | 'llm', number>
  cost: number
  withoutCost: number
  latency: number
  withLatency: number
}

interface Counting {
  sums: Sums
  /** The counting goes on after this row. */
  after: number
  rows: number
}

/** `/api/broker` as JSON text. The routes are counted in slices, for there may be many of them. */
export const getBroker: AgentsQuery<undefined, Uint8Array, Counting> = {
  read(database, _params, state) {
    const counted = countRoutes(database, state)
    if ('more' in counted) return counted
    const skills = recordsOf(database, 'skills', skill, 'name')
    return { value: jsonOf({ stats: toStats(counted.value), skills, recent: listRecent(database) }) }
  },
  empty: () => jsonOf({ stats: toStats(noSums()), skills: [], recent: [] }),
}

const noSums = (): Sums => ({
  routes: { all: 0, skill: 0, wasm: 0, llm: 0 },
  cost: 0,
  withoutCost: 0,
  latency: 0,
  withLatency: 0,
})

function toStats({ routes, cost, withoutCost, latency, withLatency }: Sums): BrokerStats {
  return {
    total_routes: routes.all,
    skill_routes: routes.skill,
    wasm_routes: routes.wasm,
    llm_routes: routes.llm,
    total_cost_cents: cost,
    avg_latency_ms: withLatency === 0 ? null : latency / withLatency,
    ...(withoutCost === 0 ? {} : { invalid: ['total_cost_cents'] }),
  }
}

function countRoutes(database: AgentsDatabase, state: Counting | undefined): Step<Counting, Sums> {
  if (database.columnsOf('broker_routes') === null) return { value: noSums() }
  if (!database.hasRowid('broker_routes')) return { value: addRoutes(database, noSums(), '') }
  const { sums, after, rows } = state ?? { sums: noSums(), after: Number.MIN_SAFE_INTEGER, rows: firstSlice }
  const startedAt = performance.now()
  const last = database.get(
    'SELECT rowid AS id FROM broker_routes WHERE rowid > ? LIMIT 1 OFFSET ?',
    after,
    rows,
  )
  const to = integerOf(last?.['id'])
  const next = addRoutes(
    database,
    sums,
    'WHERE rowid > ? AND rowid <= ?',
    after,
    to ?? Number.MAX_SAFE_INTEGER,
  )
  if (to === null) return { value: next }
  return { more: { sums: next, after: to, rows: nextSlice(rows, performance.now() - startedAt) } }
}

function addRoutes(database: AgentsDatabase, sums: Sums, where: string, ...values: number[]): Sums {
  const cost = database.numeric('broker_routes', 'cost_cents')
  const latency = database.numeric('broker_routes', 'latency_ms')
  const rows = database.all(
    `SELECT ${database.column('broker_routes', 'handler_type')} AS type, count(*) AS n, total(${cost}) AS cost,
       count(${cost}) AS priced, total(${latency}) AS latency, count(${latency}) AS timed
     FROM broker_routes ${where} GROUP BY type`,
    ...values,
  )
  const added = structuredClone(sums)
  for (const row of rows) {
    const n = numberOf(row['n']) ?? 0
    added.routes.all += n
    const type = row['type']
    if (type === 'skill' || type === 'wasm' || type === 'llm') added.routes[type] += n
    added.cost += numberOf(row['cost']) ?? 0
    added.withoutCost += n - (numberOf(row['priced']) ?? 0)
    added.latency += numberOf(row['latency']) ?? 0
    added.withLatency += numberOf(row['timed']) ?? 0
  }
  return added
}

const skill = recordKind<SkillRecord>({
  name: textOf,
  version: textOf,
  source: textOf,
  wasm_path: textOf,
  description: textOf,
  installed_at: timeOf,
})

const route = recordKind<BrokerRoute>({
  id: (cell) => (typeof cell === 'number' && Number.isSafeInteger(cell) ? cell : textOf(cell)),
  task: textOf,
  handler: textOf,
  handler_type: textOf,
  cost_cents: numberOf,
  latency_ms: numberOf,
  created_at: timeOf,
})

/** The order in which the rows were written: a table of routes has no index on their times. */
function listRecent(database: AgentsDatabase): BrokerRoute[] {
  if (database.columnsOf('broker_routes') === null) return []
  const order = database.hasRowid('broker_routes') ? 'rowid' : database.column('broker_routes', 'created_at')
  return database
    .all(
      `SELECT ${database.columns('broker_routes', route.columns)} FROM broker_routes
       ORDER BY ${order} DESC LIMIT ${recentRoutes}`,
    )
    .map(route.from)
}
