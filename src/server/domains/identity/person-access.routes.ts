import type { deskOwnAccessRoutes } from '../../../shared/contracts/desk-own.ts'
import type { Handlers } from '../../http/mount.ts'
import type { PersonAccess } from './person-access.service.ts'
import type { Sessions } from './sessions.service.ts'

export function ownAccessHandlers(
  access: PersonAccess,
  sessions: Sessions,
): Handlers<typeof deskOwnAccessRoutes> {
  return {
    listOwnAccess: ({ caller, headers }) => ({
      items: access.listAccess(caller.id, sessions.find(headers)?.id ?? null),
    }),
    issueOwnToken: ({ caller, body }) => access.issueToken(caller, body),
    async endOwnAccess({ caller, params }) {
      await access.endAccess(caller.id, params.kind, params.access)
      return { success: true }
    },
  }
}
