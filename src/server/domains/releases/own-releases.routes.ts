import type { Handlers } from '../../http/mount.ts'
import { pageSize } from '../../../shared/contracts/releases.ts'
import type { skilldockRoutes } from '../../../shared/contracts/skilldock.ts'
import type { OwnReleases } from './own-releases.service.ts'

export function ownReleaseHandlers(
  own: OwnReleases,
): Handlers<Pick<typeof skilldockRoutes, 'listOwnSubmissions'>> {
  return {
    listOwnSubmissions: ({ caller, query }) => own.listOwn(caller, query.offset, pageSize),
  }
}
