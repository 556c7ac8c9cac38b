import type {
  AgentRecord,
  BudgetRecord,
  DeploymentRecord,
  SupervisorRecord,
  TrustRecord,
} from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { wholeQuery } from '../agents-query.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'

// The lists of section 4.5 as JSON text, read straight from the project.

/** All rows of a table in the order of a column; none where there is no such table. */
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

/** A query for `{ [key]: records }`. */
const listQuery = <Record_>(key: string, list: (database: AgentsDatabase) => Record_[]) =>
  wholeQuery(
    (database) => jsonOf({ [key]: list(database) }),
    (_params: undefined) => jsonOf({ [key]: [] }),
  )

const agentColumns = ['id', 'name', 'template', 'source', 'status', 'pid', 'created_at', 'updated_at']

export const listAgents = listQuery('agents', (database) =>
  rowsOf(database, 'agents', agentColumns, 'name').map((row): AgentRecord => ({
    id: textOf(row['id']),
    name: textOf(row['name']) ?? '',
    template: textOf(row['template']),
    source: textOf(row['source']) ?? '',
    status: textOf(row['status']) ?? '',
    pid: integerOf(row['pid']),
    created_at: timeOf(row['created_at']) ?? '',
    updated_at: timeOf(row['updated_at']),
  })),
)

const deploymentColumns = ['agent_name', 'worker_name', 'region', 'status', 'url', 'deployed_at']

export const listDeployments = listQuery('deployments', (database) =>
  rowsOf(database, 'edge_deployments', deploymentColumns, 'agent_name').map((row): DeploymentRecord => ({
    agent_name: textOf(row['agent_name']),
    worker_name: textOf(row['worker_name']),
    region: textOf(row['region']),
    status: textOf(row['status']),
    url: textOf(row['url']),
    deployed_at: timeOf(row['deployed_at']),
  })),
)

const trustColumns = ['agent_name', 'auid', 'trust_tier', 't_score', 'credit_rating', 'verified_at', 'status']

export const listTrust = listQuery('records', (database) =>
  rowsOf(database, 'trust_records', trustColumns, 'agent_name').map((row): TrustRecord => ({
    agent_name: textOf(row['agent_name']),
    auid: textOf(row['auid']),
    trust_tier: textOf(row['trust_tier']),
    t_score: integerOf(row['t_score']),
    credit_rating: textOf(row['credit_rating']),
    verified_at: timeOf(row['verified_at']),
    status: textOf(row['status']),
  })),
)

const budgetColumns = [
  'agent_name',
  'budget_cents',
  'spent_cents',
  'period',
  'action',
  'alert_at',
  'last_reset',
]

export const listBudgets = listQuery('budgets', (database) =>
  rowsOf(database, 'cost_budgets', budgetColumns, 'agent_name').map((row): BudgetRecord => {
    const budget = integerOf(row['budget_cents'])
    const spent = integerOf(row['spent_cents'])
    // An amount that is none is 0, and named as such (rulings, "Dashboard API").
    const invalid = [...(budget === null ? ['budget_cents'] : []), ...(spent === null ? ['spent_cents'] : [])]
    return {
      agent_name: textOf(row['agent_name']) ?? '',
      budget_cents: budget ?? 0,
      spent_cents: spent ?? 0,
      period: textOf(row['period']) ?? '',
      action: textOf(row['action']) ?? '',
      alert_at: integerOf(row['alert_at']),
      last_reset: timeOf(row['last_reset']),
      ...(invalid.length === 0 ? {} : { invalid }),
    }
  }),
)

const supervisorColumns = ['id', 'name', 'strategy', 'max_restarts', 'restart_window', 'status', 'created_at']

/** A child's status is its agent's. */
export const listSupervisors = listQuery('supervisors', (database) => {
  const statuses = new Map(
    rowsOf(database, 'agents', ['name', 'status']).map((row) => [textOf(row['name']), textOf(row['status'])]),
  )
  const children = Map.groupBy(
    rowsOf(database, 'supervisor_children', ['supervisor_id', 'agent_name', 'position'], 'position'),
    (row) => textOf(row['supervisor_id']),
  )
  const childrenOf = (supervisor: string | null): Row[] =>
    supervisor === null ? [] : (children.get(supervisor) ?? [])
  const toChild = (row: Row): SupervisorRecord['children'][number] => {
    const name = textOf(row['agent_name'])
    const status = name === null ? null : (statuses.get(name) ?? null)
    return { name, position: integerOf(row['position']), status }
  }
  return rowsOf(database, 'supervisors', supervisorColumns, 'name').map((row): SupervisorRecord => ({
    name: textOf(row['name']),
    strategy: textOf(row['strategy']),
    max_restarts: integerOf(row['max_restarts']),
    restart_window: integerOf(row['restart_window']),
    status: textOf(row['status']),
    created_at: timeOf(row['created_at']),
    children: childrenOf(textOf(row['id'])).map(toChild),
  }))
})
