import { z } from 'zod'
import {
  agentRecordSchema,
  brokerRouteSchema,
  budgetRecordSchema,
  deploymentRecordSchema,
  skillRecordSchema,
  supervisorRecordSchema,
  trustRecordSchema,
} from '../../../shared/contracts/dashboard.ts'
import type { BrokerStats, BudgetRecord, SupervisorRecord } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { unfinished } from '../agents-query.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { integerOf, numberOf, textOf } from '../cell-values.ts'
import { contractRecord } from '../records.ts'
import type { RecordKind } from '../records.ts'
import { readSlice } from '../slices.ts'
import type { SliceState } from '../slices.ts'

// The lists of section 4.5 as JSON, read directly from the project.

const encoder = new TextEncoder()

/** JSON in UTF-8. Bytes are transferred to the server without being copied. */
export const bytesOf = (json: string): Uint8Array => encoder.encode(json)
const jsonOf = (value: unknown): Uint8Array => bytesOf(JSON.stringify(value))

/** All rows of a table in this order; none if there is no such table. */
const rowsOf = (database: AgentsDatabase, table: string, columns: readonly string[], order: string): Row[] =>
  database.columnsOf(table) === null
    ? []
    : database.all(`SELECT ${database.columns(table, columns)} FROM ${table} ORDER BY ${order}`)

/** All records of a table, ordered by a column. */
const recordsOf = <Item extends object>(
  database: AgentsDatabase,
  table: string,
  kind: RecordKind<Item>,
  order: string,
): Item[] => rowsOf(database, table, kind.columns, database.column(table, order)).map(kind.from)

/** A query for `{ [key]: records }`. */
const listQuery = (
  key: string,
  list: (database: AgentsDatabase) => unknown[],
): AgentsQuery<undefined, Uint8Array> => ({
  read: (database) => jsonOf({ [key]: list(database) }),
})

const listOf = (key: string, table: string, schema: z.ZodObject, order: string) =>
  listQuery(key, (database) => recordsOf(database, table, contractRecord(schema), order))

const amounts = ['budget_cents', 'spent_cents'] as const
const amount = z.int().nullable()
const budget = contractRecord(
  budgetRecordSchema.omit({ invalid: true }).extend({ budget_cents: amount, spent_cents: amount }),
)

const listBudgets = (database: AgentsDatabase): BudgetRecord[] =>
  recordsOf(database, 'cost_budgets', budget, 'agent_name').map((record) => {
    // An amount that is not a number is 0 and listed in `invalid` (rulings, "Dashboard API").
    const invalid = amounts.filter((name) => record[name] === null)
    const { budget_cents: limit, spent_cents: spent } = record
    const known = { ...record, budget_cents: limit ?? 0, spent_cents: spent ?? 0 }
    return invalid.length === 0 ? known : { ...known, invalid }
  })

const supervisor = contractRecord(supervisorRecordSchema.omit({ children: true }))

/** A child's status is that of its agent. */
function listSupervisors(database: AgentsDatabase): SupervisorRecord[] {
  const agents = rowsOf(database, 'agents', ['name', 'status'], 'NULL')
  const statuses = new Map(agents.map((row) => [textOf(row['name']), textOf(row['status'])]))
  const position = database.column('supervisor_children', 'position')
  const children = Map.groupBy(
    rowsOf(database, 'supervisor_children', ['supervisor_id', 'agent_name', 'position'], position),
    (row) => textOf(row['supervisor_id']),
  )
  const toChild = (row: Row): SupervisorRecord['children'][number] => {
    const name = textOf(row['agent_name'])
    const status = name === null ? null : (statuses.get(name) ?? null)
    return { name, position: integerOf(row['position']), status }
  }
  const name = database.column('supervisors', 'name')
  return rowsOf(database, 'supervisors', ['id', ...supervisor.columns], name).map((row) => {
    const id = textOf(row['id'])
    return { ...supervisor.from(row), children: id === null ? [] : (children.get(id) ?? []).map(toChild) }
  })
}

/** Per type in one slice: the number of routes, their cost and latency, and how many have those. */
type Sums = Record<'routes' | 'cost' | 'priced' | 'latency' | 'timed', unknown> & { type: unknown }

interface Counting extends SliceState {
  sums: Sums[]
}

const skill = contractRecord(skillRecordSchema)
const route = contractRecord(brokerRouteSchema)

/** `/api/broker` as JSON. The routes are counted in slices, because there may be many. */
const getDashboardBroker: AgentsQuery<undefined, Uint8Array> = {
  read(database, _params, state: Partial<Counting>) {
    const exists = database.columnsOf('broker_routes') !== null
    const hasRowid = exists && database.hasRowid('broker_routes')
    const count = (where: string, ...values: number[]): void => {
      state.sums = (state.sums ?? []).concat(sumUp(database, where, ...values))
    }
    const readRange = (from: number, below: number): true => {
      count('WHERE rowid >= ? AND rowid < ?', from, below)
      return true
    }
    if (hasRowid && !readSlice(database, 'broker_routes', 'rowid', state, readRange)) return unfinished
    if (exists && !hasRowid) count('')
    // In order of insertion: a table of routes has no index on times.
    const order = hasRowid ? 'rowid' : database.column('broker_routes', 'created_at')
    return jsonOf({
      stats: toStats(state.sums ?? []),
      skills: recordsOf(database, 'skills', skill, 'name'),
      recent: rowsOf(database, 'broker_routes', route.columns, `${order} DESC LIMIT 50`).map(route.from),
    })
  },
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

export const dashboardLists = {
  listDashboardAgents: listOf('agents', 'agents', agentRecordSchema, 'name'),
  listDashboardSupervisors: listQuery('supervisors', listSupervisors),
  listDashboardBudgets: listQuery('budgets', listBudgets),
  listDashboardTrust: listOf('records', 'trust_records', trustRecordSchema, 'agent_name'),
  listDashboardDeployments: listOf('deployments', 'edge_deployments', deploymentRecordSchema, 'agent_name'),
  getDashboardBroker,
}
