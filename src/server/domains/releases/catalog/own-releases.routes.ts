import { deskPageSize } from '../../../../shared/list-page.ts'
import type { deskOwnRoutes } from '../../../../shared/contracts/desk-own.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import type { skilldockRoutes } from '../../../../shared/contracts/skilldock.ts'
import { ListPage } from '../../../../shared/list-page.ts'
import type { Handler, Handlers } from '../../../http/mount.ts'
import type { OwnReleases } from './own-releases.service.ts'

export function ownReleaseHandlers(
  own: OwnReleases,
): Handlers<Pick<typeof skilldockRoutes, 'listOwnSubmissions'>> {
  return {
    listOwnSubmissions({ caller, query: { offset } }) {
      const page = own.listOwn(caller, offset, pageSize)
      return new ListPage(page, offset + pageSize < page.total)
    },
  }
}

/** The same for the desk. */
export function deskOwnHandlers(
  own: OwnReleases,
  takeSubmission: Handler<typeof deskOwnRoutes.submitOwn>,
): Handlers<typeof deskOwnRoutes> {
  return {
    listOwn: ({ caller, query }) => own.listOwn(caller, query.offset, deskPageSize),
    submitOwn: takeSubmission,
  }
}
