import { brokerRouteSchema, skillRecordSchema } from '../../../shared/contracts/dashboard.ts'
import type { BrokerRoute, BrokerStats } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import type { AgentsQuery, Step } from '../agents-query.ts'
import { integerOf, numberOf } from '../cell-values.ts'
import { contractRecord } from '../records.ts'
import { firstSlice, nextSlice } from '../slices.ts'
import { jsonOf, recordsOf } from './public-lists.ts'

/** Routes listed individually. */
const recentRoutes = 50

/** Per type in one slice: the number of routes, their cost and latency, and how many have those. */
type Sums = Record<'routes' | 'cost' | 'priced' | 'latency' | 'timed', unknown> & { type: unknown }

interface Counting {
  sums: Sums[]
  /** Counting continues after this row. */
  after: number
  rows: number
}

/** `/api/broker` as JSON. The routes are counted in slices, because there may be many. */
export const getBroker: AgentsQuery<undefined, Uint8Array, Counting> = {
  read(database, _params, state) {
    const counted = countRoutes(database, state)
    if ('more' in counted) return counted
    const skills = recordsOf(database, 'skills', skill, 'name')
    return { value: jsonOf({ stats: toStats(counted.value), skills, recent: listRecent(database) }) }
  },
  empty: () => jsonOf({ stats: toStats([]), skills: [], recent: [] }),
}

function toStats(sums: readonly Sums[]): BrokerStats {
  const total = (name: keyof Sums, type?: string): number =>
    sums.reduce(
      (sum, row) => (type === undefined || row.type === type ? sum + (numberOf(row[name]) ?? 0) : sum),
      0,
    )
  const timed = total('timed')
  return {
    total_routes: total('routes'),
    skill_routes: total('routes', 'skill'),
    wasm_routes: total('routes', 'wasm'),
    llm_routes: total('routes', 'llm'),
    total_cost_cents: total('cost'),
    avg_latency_ms: timed === 0 ? null : total('latency') / timed,
    ...(total('priced') < total('routes') && { invalid: ['total_cost_cents'] }),
  }
}

function countRoutes(database: AgentsDatabase, state: Counting | undefined): Step<Counting, Sums[]> {
  if (database.columnsOf('broker_routes') === null) return { value: [] }
  if (!database.hasRowid('broker_routes')) return { value: sumUp(database, '') }
  const { sums, after, rows } = state ?? { sums: [], after: Number.MIN_SAFE_INTEGER, rows: firstSlice }
  const startedAt = performance.now()
  const last = database.get(
    'SELECT rowid AS id FROM broker_routes WHERE rowid > ? LIMIT 1 OFFSET ?',
    after,
    rows,
  )
  const to = integerOf(last?.['id'])
  const within = 'WHERE rowid > ? AND rowid <= ?'
  const all = [...sums, ...sumUp(database, within, after, to ?? Number.MAX_SAFE_INTEGER)]
  if (to === null) return { value: all }
  return { more: { sums: all, after: to, rows: nextSlice(rows, performance.now() - startedAt) } }
}

function sumUp(database: AgentsDatabase, where: string, ...values: number[]): Sums[] {
  const type = database.column('broker_routes', 'handler_type')
  const cost = database.numeric('broker_routes', 'cost_cents')
  const latency = database.numeric('broker_routes', 'latency_ms')
  return database.all(
    `SELECT CASE WHEN ${type} IN ('skill', 'wasm', 'llm') THEN ${type} END AS type, count(*) AS routes,
       total(${cost}) AS cost, count(${cost}) AS priced, total(${latency}) AS latency, count(${latency}) AS timed
     FROM broker_routes ${where} GROUP BY 1`,
    ...values,
  ) as Sums[]
}

const skill = contractRecord(skillRecordSchema)
const route = contractRecord(brokerRouteSchema)

/** In order of insertion: a table of routes has no index on times. */
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
