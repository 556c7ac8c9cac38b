import type { DeploymentRecord } from '../../../shared/contracts/dashboard.ts'
import { wholeQuery } from '../agents-query.ts'
import { textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'

const columns = ['agent_name', 'worker_name', 'region', 'status', 'url', 'deployed_at']

/** `/api/edge` as JSON text. */
export const listDeployments = wholeQuery(
  (database) => {
    const rows =
      database.columnsOf('edge_deployments') === null
        ? []
        : database.all(
            `SELECT ${database.columns('edge_deployments', columns)} FROM edge_deployments
             ORDER BY ${database.column('edge_deployments', 'agent_name')}`,
          )
    const deployments = rows.map((row): DeploymentRecord => ({
      agent_name: textOf(row['agent_name']),
      worker_name: textOf(row['worker_name']),
      region: textOf(row['region']),
      status: textOf(row['status']),
      url: textOf(row['url']),
      deployed_at: timeOf(row['deployed_at']),
    }))
    return jsonOf({ deployments })
  },
  () => jsonOf({ deployments: [] }),
)
