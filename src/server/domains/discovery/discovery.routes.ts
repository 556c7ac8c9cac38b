import type { discoveryRoutes } from '../../../shared/contracts/discovery.ts'
import type { Handlers } from '../../http/mount.ts'

/** Section 4.3. `openapi` makes the OpenAPI document. */
export function discoveryHandlers(openapi: () => Promise<Buffer>): Handlers<typeof discoveryRoutes> {
  return {
    getConnection: ({ address, headers }) => ({
      address,
      forwardedFor: headers['x-forwarded-for']?.toString() ?? null,
    }),
    getOpenapi: () => openapi(),
  }
}
