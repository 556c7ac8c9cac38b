import type { deskOwnAccessRoutes } from '../../../shared/contracts/desk-own.ts'
import type { Handlers } from '../../http/mount.ts'
import type { PersonAccess } from './person-access.service.ts'

export function ownAccessHandlers(access: PersonAccess): Handlers<typeof deskOwnAccessRoutes> {
  return {
    listOwnAccess: ({ caller, session }) => ({ items: access.listAccess(caller.id, session) }),
    issueOwnToken: ({ caller, body }) => access.issueToken(caller, body),
    endOwnAccess: ({ caller, params }) => access.endAccess(caller.id, params.kind, params.access),
  }
}
