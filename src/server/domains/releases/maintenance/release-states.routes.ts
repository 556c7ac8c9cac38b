import type { deprecationRoutes, releaseStateRoutes } from '../../../../shared/contracts/release-states.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Deprecations } from './deprecations.service.ts'
import type { ReleaseStates } from './release-states.service.ts'

export function releaseStateHandlers(states: ReleaseStates): Handlers<typeof releaseStateRoutes> {
  return {
    getReleaseState: ({ params }) => states.getReleaseState(params.name, params.version),
    getAdvisories: ({ query }) => states.getAdvisories(query.offset),
  }
}

export function deprecationHandlers(deprecations: Deprecations): Handlers<typeof deprecationRoutes> {
  return {
    deprecateRelease: ({ caller, params, body }) =>
      deprecations.deprecate(caller, params.name, params.version, body),
    withdrawDeprecation: ({ caller, params }) => deprecations.withdraw(caller, params.name, params.version),
  }
}
