import type { deskOwnerRoutes, ownNameRoutes, ownerRoutes } from '../../../../shared/contracts/owners.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import { ListPage } from '../../../../shared/list-page.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Owners, PublicOwners } from './owners.service.ts'

export function publicOwnerHandlers(owners: PublicOwners): Handlers<typeof ownerRoutes> {
  return { listOwners: ({ params }) => ({ items: owners.listOwners(params.name) }) }
}

export function ownNameHandlers(owners: Owners): Handlers<typeof ownNameRoutes> {
  return {
    listOwnNames({ caller, query: { offset } }) {
      const page = owners.listOwnNames(caller, offset)
      return new ListPage(page, offset + pageSize < page.total)
    },
    offerOwnership: ({ caller, params, body }) => owners.offer(caller, params.name, body),
    answerOffer: ({ caller, params, body }) => owners.answer(caller, params.id, body.answer),
    leaveName: ({ caller, params }) => owners.leave(caller, params.name),
  }
}

export function deskOwnerHandlers(owners: Owners): Handlers<typeof deskOwnerRoutes> {
  return {
    getNameOwners: ({ params }) => owners.getNameOwners(params.name),
    transferName: ({ caller, params, body }) => owners.transfer(caller, params.name, body),
  }
}
