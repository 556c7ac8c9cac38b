import type { deskOwnRoutes } from '../../../shared/contracts/desk-own.ts'
import type { Handlers } from '../../http/mount.ts'
import type { DeskAccess } from './desk-access.service.ts'
import type { DeskOwn } from './desk-own.service.ts'
import type { DeskSessions } from './desk-session.service.ts'

export function deskOwnHandlers(
  own: DeskOwn,
  access: DeskAccess,
  sessions: DeskSessions,
): Handlers<typeof deskOwnRoutes> {
  return {
    listOwn: ({ caller, query }) => own.listOwn(caller, query.offset),
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
