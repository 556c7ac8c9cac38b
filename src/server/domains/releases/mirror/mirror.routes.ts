import type { mirrorRoutes } from '../../../../shared/contracts/mirror.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Mirror } from './mirror.service.ts'

/** Whether this registry is a mirror, for everyone. */
export function mirrorHandlers(mirror: Mirror): Handlers<typeof mirrorRoutes> {
  return {
    getMirror() {
      const state = mirror.read()
      return { mirror: state && { of: state.of, updatedAt: state.updatedAt } }
    },
  }
}
