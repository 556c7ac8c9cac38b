import type { metricsRoutes } from '../../../shared/contracts/metrics.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Metrics } from './metrics.service.ts'

export function metricsHandlers(metrics: Pick<Metrics, 'read'>): Handlers<typeof metricsRoutes> {
  return { getMetrics: () => metrics.read() }
}
