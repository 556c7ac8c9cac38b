import type { discoveryRoutes, Readiness } from '../../../shared/contracts/discovery.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithOtherStatus } from '../../http/replies.ts'

interface DiscoverySources {
  /** The latest results of the health checks. */
  readHealth(): Readiness
  /** The OpenAPI document. */
  openapi(): Promise<Buffer>
}

/** Section 4.3. */
export function discoveryHandlers(sources: DiscoverySources): Handlers<typeof discoveryRoutes> {
  return {
    getHealth() {
      const status = sources.readHealth().ready ? 'ok' : 'degraded'
      return { status, service: 'skilldock', timestamp: new Date().toISOString() }
    },
    getReadiness() {
      const readiness = sources.readHealth()
      return readiness.ready ? readiness : new WithOtherStatus(readiness)
    },
    getConnection: ({ address, headers }) => ({
      address,
      forwardedFor: headers['x-forwarded-for']?.toString() ?? null,
    }),
    getOpenapi: () => sources.openapi(),
  }
}
