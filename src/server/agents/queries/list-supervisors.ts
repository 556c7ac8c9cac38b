import type { SupervisorRecord } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { wholeQuery } from '../agents-query.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'

type Child = SupervisorRecord['children'][number]

const columns = ['id', 'name', 'strategy', 'max_restarts', 'restart_window', 'status', 'created_at']

/** `/api/supervisors` as JSON text. */
export const listSupervisors = wholeQuery(
  (database) => {
    if (database.columnsOf('supervisors') === null) return jsonOf({ supervisors: [] })
    const children = listChildren(database)
    const supervisors = database
      .all(
        `SELECT ${database.columns('supervisors', columns)} FROM supervisors ORDER BY ${database.column('supervisors', 'name')}`,
      )
      .map((row) => toRecord(row, children.get(textOf(row['id'])) ?? []))
    return jsonOf({ supervisors })
  },
  () => jsonOf({ supervisors: [] }),
)

function toRecord(row: Row, children: Child[]): SupervisorRecord {
  return {
    name: textOf(row['name']),
    strategy: textOf(row['strategy']),
    max_restarts: integerOf(row['max_restarts']),
    restart_window: integerOf(row['restart_window']),
    status: textOf(row['status']),
    created_at: timeOf(row['created_at']),
    children,
  }
}

/** By supervisor, in the order of their positions; a child's status is its agent's. */
function listChildren(database: AgentsDatabase): Map<string | null, Child[]> {
  const bySupervisor = new Map<string | null, Child[]>()
  if (database.columnsOf('supervisor_children') === null) return bySupervisor
  const statuses = listStatuses(database)
  const rows = database.all(
    `SELECT ${database.columns('supervisor_children', ['supervisor_id', 'agent_name', 'position'])}
     FROM supervisor_children ORDER BY ${database.column('supervisor_children', 'position')}`,
  )
  for (const row of rows) {
    const supervisor = textOf(row['supervisor_id'])
    // A child of nobody is nobody's child.
    if (supervisor === null) continue
    const name = textOf(row['agent_name'])
    const child = { name, position: integerOf(row['position']), status: statuses.get(name) ?? null }
    const siblings = bySupervisor.get(supervisor)
    if (siblings === undefined) bySupervisor.set(supervisor, [child])
    else siblings.push(child)
  }
  return bySupervisor
}

function listStatuses(database: AgentsDatabase): Map<string | null, string | null> {
  if (database.columnsOf('agents') === null) return new Map()
  const rows = database.all(`SELECT ${database.columns('agents', ['name', 'status'])} FROM agents`)
  const statuses = new Map<string | null, string | null>()
  for (const row of rows) {
    const name = textOf(row['name'])
    if (name !== null) statuses.set(name, textOf(row['status']))
  }
  return statuses
}
