import type { releaseStateRoutes } from '../../../../shared/contracts/release-states.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { ReleaseStates } from './release-states.service.ts'

export function releaseStateHandlers(states: ReleaseStates): Handlers<typeof releaseStateRoutes> {
  return { getReleaseState: ({ params }) => states.getReleaseState(params.name, params.version) }
}
