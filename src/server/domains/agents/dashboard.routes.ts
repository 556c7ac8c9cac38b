import type { dashboardRoutes } from '../../../shared/contracts/dashboard.ts'
import type { Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { Dashboard } from './dashboard.service.ts'

/** Section 4.5. */
export function dashboardHandlers(dashboard: Dashboard): Handlers<typeof dashboardRoutes> {
  const list =
    (query: Parameters<Dashboard['list']>[0]) =>
    async (call: { untilGone(): AbortSignal }): Promise<JsonBytes> =>
      new JsonBytes(await dashboard.list(query, call.untilGone()))
  return {
    listDashboardAgents: list('listAgents'),
    listDashboardSupervisors: list('listSupervisors'),
    listDashboardBudgets: list('listBudgets'),
    listDashboardAudit: async (call) =>
      new JsonBytes(await dashboard.listAudit(call.query, call.untilGone())),
    listDashboardTrust: list('listTrust'),
    getDashboardBroker: list('getBroker'),
    listDashboardDeployments: list('listDeployments'),
  }
}
