import type { discoveryRoutes } from '../../../shared/contracts/discovery.ts'
import type { Handlers } from '../../http/mount.ts'

export interface DiscoverySources {
  /** Whether something that the services depend on is away at the moment. */
  isDegraded(): Promise<boolean>
  /** The OpenAPI document as bytes. */
  openapi(): Promise<Buffer>
}

/** Section 4.3. */
export function discoveryHandlers(sources: DiscoverySources): Handlers<typeof discoveryRoutes> {
  return {
    async getHealth() {
      const status = (await sources.isDegraded()) ? 'degraded' : 'ok'
      return { status, service: 'skilldock', timestamp: new Date().toISOString() }
    },
    getOpenapi: () => sources.openapi(),
  }
}
