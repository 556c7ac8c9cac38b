import type { AgentRecord } from '../../../shared/contracts/dashboard.ts'
import { wholeQuery } from '../agents-query.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'

const columns = ['id', 'name', 'template', 'source', 'status', 'pid', 'created_at', 'updated_at']

/** `/api/agents` as JSON text. */
export const listAgents = wholeQuery(
  (database) => {
    const rows =
      database.columnsOf('agents') === null
        ? []
        : database.all(
            `SELECT ${database.columns('agents', columns)} FROM agents ORDER BY ${database.column('agents', 'name')}`,
          )
    const agents = rows.map((row): AgentRecord => ({
      id: textOf(row['id']),
      name: textOf(row['name']) ?? '',
      template: textOf(row['template']),
      source: textOf(row['source']) ?? '',
      status: textOf(row['status']) ?? '',
      pid: integerOf(row['pid']),
      created_at: timeOf(row['created_at']) ?? '',
      updated_at: timeOf(row['updated_at']),
    }))
    return jsonOf({ agents })
  },
  () => jsonOf({ agents: [] }),
)
