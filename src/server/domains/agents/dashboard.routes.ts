import type { dashboardRoutes } from '../../../shared/contracts/dashboard.ts'
import type { Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { Dashboard, DashboardQuery } from './dashboard.service.ts'

type Search = { before?: number | undefined; q?: string | undefined } | undefined

/** Section 4.5. */
export function dashboardHandlers(dashboard: Dashboard): Handlers<typeof dashboardRoutes> {
  const read =
    (name: DashboardQuery) =>
    async ({ query, untilGone }: { query: Search; untilGone(): AbortSignal }): Promise<JsonBytes> =>
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
