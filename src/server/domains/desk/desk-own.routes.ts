import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { deskOwnRoutes, OwnRelease } from '../../../shared/contracts/desk-own.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import type { Handler, Handlers } from '../../http/mount.ts'
import type { DeskAccess } from './desk-access.service.ts'
import type { DeskSessions } from './desk-session.service.ts'

/** The same that the registry answers with. */
export interface OwnReleaseList {
  listOwn(person: Person, offset: number, limit: number): { items: OwnRelease[]; total: number }
}

/** The registry's own way of taking a submission. */
export type TakeSubmission = Handler<typeof deskOwnRoutes.submitOwn>

export function deskOwnHandlers(
  own: OwnReleaseList,
  takeSubmission: TakeSubmission,
  access: DeskAccess,
  sessions: DeskSessions,
): Handlers<typeof deskOwnRoutes> {
  return {
    listOwn: ({ caller, query }) => own.listOwn(caller, query.offset, deskPageSize),
    submitOwn: takeSubmission,
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
