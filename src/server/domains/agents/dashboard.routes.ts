import { dashboardRoutes } from '../../../shared/contracts/dashboard.ts'
import type { Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { Dashboard, DashboardQuery } from './dashboard.service.ts'

interface DashboardCall {
  query: Parameters<Dashboard['read']>[1]
  untilGone(): AbortSignal
}

/** Section 4.5: one handler per query. */
export const dashboardHandlers = (dashboard: Dashboard): Handlers<typeof dashboardRoutes> =>
  Object.fromEntries(
    Object.keys(dashboardRoutes).map((name) => [
      name,
      async ({ query, untilGone }: DashboardCall) =>
        new JsonBytes(await dashboard.read(name as DashboardQuery, query, untilGone())),
    ]),
  ) as unknown as Handlers<typeof dashboardRoutes>
