import type { dashboardRoutes } from '../../../shared/contracts/dashboard.ts'
import type { Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { Dashboard, DashboardQuery } from './dashboard.service.ts'

/** Section 4.5. */
export function dashboardHandlers(dashboard: Dashboard): Handlers<typeof dashboardRoutes> {
  const read =
    (name: DashboardQuery) =>
    async ({
      query,
      untilGone,
    }: {
      query: Parameters<Dashboard['read']>[1]
      untilGone(): AbortSignal
    }): Promise<JsonBytes> =>
      new JsonBytes(await dashboard.read(name, query, untilGone()))
  return {
    listDashboardAgents: read('listAgents'),
    listDashboardSupervisors: read('listSupervisors'),
    listDashboardBudgets: read('listBudgets'),
    listDashboardAudit: read('listAudit'),
    listDashboardTrust: read('listTrust'),
    getDashboardBroker: read('getBroker'),
    listDashboardDeployments: read('listDeployments'),
  }
}
