import type { healthRoutes, Readiness } from '../../../shared/contracts/health.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithOtherStatus } from '../../http/replies.ts'

/** Section 4.3. `read` returns the latest results of the checks. */
export function healthHandlers(read: () => Readiness): Handlers<typeof healthRoutes> {
  return {
    getHealth() {
      const status = read().ready ? 'ok' : 'degraded'
      return { status, service: 'skilldock', timestamp: new Date().toISOString() }
    },
    getReadiness() {
      const readiness = read()
      return readiness.ready ? readiness : new WithOtherStatus(readiness)
    },
  }
}
