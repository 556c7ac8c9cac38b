import type { dashboardRoutes } from '../../../shared/contracts/dashboard.ts'
import type { Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { Dashboard } from './dashboard.service.ts'

/** Section 4.5. */
export function dashboardHandlers(dashboard: Dashboard): Handlers<typeof dashboardRoutes> {
  return {
    listDashboardAgents: async (call) => new JsonBytes(await dashboard.listAgents(call.untilGone())),
    listDashboardSupervisors: async (call) =>
      new JsonBytes(await dashboard.listSupervisors(call.untilGone())),
    listDashboardBudgets: async (call) => new JsonBytes(await dashboard.listBudgets(call.untilGone())),
    listDashboardAudit: async (call) =>
      new JsonBytes(await dashboard.listAudit(call.query, call.untilGone())),
    listDashboardTrust: async (call) => new JsonBytes(await dashboard.listTrust(call.untilGone())),
    getDashboardBroker: async (call) => new JsonBytes(await dashboard.getBroker(call.untilGone())),
    listDashboardDeployments: async (call) =>
      new JsonBytes(await dashboard.listDeployments(call.untilGone())),
  }
}
