import { z } from 'zod'
import {
  agentRecordSchema,
  budgetRecordSchema,
  deploymentRecordSchema,
  supervisorRecordSchema,
  trustRecordSchema,
} from '../../../shared/contracts/dashboard.ts'
import type { BudgetRecord, SupervisorRecord } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { integerOf, textOf } from '../cell-values.ts'
import { contractRecord } from '../records.ts'
import type { RecordKind } from '../records.ts'

// The lists of section 4.5 as JSON, read directly from the project.

const encoder = new TextEncoder()

/** JSON in UTF-8. Bytes are transferred to the server without being copied. */
export const bytesOf = (json: string): Uint8Array => encoder.encode(json)
export const jsonOf = (value: unknown): Uint8Array => bytesOf(JSON.stringify(value))

/** All rows of a table, ordered by a column; none if there is no such table. */
export function rowsOf(
  database: AgentsDatabase,
  table: string,
  columns: readonly string[],
  order?: string,
): Row[] {
  if (database.columnsOf(table) === null) return []
  const by = order === undefined ? '' : ` ORDER BY ${database.column(table, order)}`
  return database.all(`SELECT ${database.columns(table, columns)} FROM ${table}${by}`)
}

/** As `rowsOf`, converted to records. */
export const recordsOf = <Item extends object>(
  database: AgentsDatabase,
  table: string,
  kind: RecordKind<Item>,
  order: string,
): Item[] => rowsOf(database, table, kind.columns, order).map(kind.from)

/** A query for `{ [key]: records }`. */
const listQuery = (
  key: string,
  list: (database: AgentsDatabase) => unknown[],
): AgentsQuery<undefined, Uint8Array> => ({
  read: (database) => ({ value: jsonOf({ [key]: list(database) }) }),
  empty: () => jsonOf({ [key]: [] }),
})

const listOf = (key: string, table: string, schema: z.ZodObject, order: string) =>
  listQuery(key, (database) => recordsOf(database, table, contractRecord(schema), order))

export const listAgents = listOf('agents', 'agents', agentRecordSchema, 'name')
export const listDeployments = listOf('deployments', 'edge_deployments', deploymentRecordSchema, 'agent_name')
export const listTrust = listOf('records', 'trust_records', trustRecordSchema, 'agent_name')

const amounts = ['budget_cents', 'spent_cents'] as const
const amount = z.int().nullable()
const budget = contractRecord(
  budgetRecordSchema.omit({ invalid: true }).extend({ budget_cents: amount, spent_cents: amount }),
)

export const listBudgets = listQuery('budgets', (database) =>
  recordsOf(database, 'cost_budgets', budget, 'agent_name').map((record): BudgetRecord => {
    // An amount that is not a number is 0 and listed in `invalid` (rulings, "Dashboard API").
    const invalid = amounts.filter((name) => record[name] === null)
    const { budget_cents: limit, spent_cents: spent } = record
    const known = { ...record, budget_cents: limit ?? 0, spent_cents: spent ?? 0 }
    return invalid.length === 0 ? known : { ...known, invalid }
  }),
)

const supervisor = contractRecord(supervisorRecordSchema.omit({ children: true }))

/** A child's status is that of its agent. */
export const listSupervisors = listQuery('supervisors', (database) => {
  const statuses = new Map(
    rowsOf(database, 'agents', ['name', 'status']).map((row) => [textOf(row['name']), textOf(row['status'])]),
  )
  const children = Map.groupBy(
    rowsOf(database, 'supervisor_children', ['supervisor_id', 'agent_name', 'position'], 'position'),
    (row) => textOf(row['supervisor_id']),
  )
  const childrenOf = (id: string | null): Row[] => (id === null ? [] : (children.get(id) ?? []))
  const toChild = (row: Row): SupervisorRecord['children'][number] => {
    const name = textOf(row['agent_name'])
    const status = name === null ? null : (statuses.get(name) ?? null)
    return { name, position: integerOf(row['position']), status }
  }
  return rowsOf(database, 'supervisors', ['id', ...supervisor.columns], 'name').map((row) => ({
    ...supervisor.from(row),
    children: childrenOf(textOf(row['id'])).map(toChild),
  }))
})
