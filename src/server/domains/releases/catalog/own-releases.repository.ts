import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

export type OwnReleaseRow = Omit<
  OwnRelease,
  'place' | 'waiting' | 'findings' | 'firstApproval' | 'rejectedFor' | 'thread' | 'deprecation'
>

/** SQL about a publisher's own releases, prepared on the reading connection. */
export const ownReleaseRepository = preparedOnce((connection: Connection) => {
  const listOwn = connection.prepare<[number, number, number], OwnReleaseRow>(
    `SELECT id, name, version, status, size, sha256, created_at AS createdAt, review_reason AS reviewReason
     FROM releases WHERE owner_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  )
  const countOwn = connection
    .prepare<[number], number>('SELECT count(*) FROM releases WHERE owner_id = ?')
    .pluck()
  const countPending = connection
    .prepare<[number, number], number>(
      "SELECT count(*) FROM releases WHERE status = 'pending' AND id > ? AND id <= ?",
    )
    .pluck()

  return {
    listOwn: (ownerId: number, offset: number, limit: number) => listOwn.all(ownerId, limit, offset),
    countOwn: (ownerId: number) => countOwn.get(ownerId) ?? 0,
    /** The number of pending releases with ids above `after`, up to and including `last`. */
    countPending: (after: number, last: number) => countPending.get(after, last) ?? 0,
  }
})
