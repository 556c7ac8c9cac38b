import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { OwnRelease } from '../../../shared/contracts/desk-own.ts'
import type { Connection } from '../../db/database.ts'

/** A person's own releases, prepared on the reading connection. */
export function createDeskOwnRepository(connection: Connection) {
  const listOwn = connection.prepare<[number, number], Omit<OwnRelease, 'place' | 'waiting' | 'findings'>>(
    `SELECT id, name, version, status, size, sha256, created_at AS createdAt, review_reason AS reviewReason
     FROM releases WHERE owner_id = ? ORDER BY id DESC LIMIT ${deskPageSize} OFFSET ?`,
  )
  const countOwn = connection
    .prepare<[number], number>('SELECT count(*) FROM releases WHERE owner_id = ?')
    .pluck()

  return {
    listOwn: (ownerId: number, offset: number) => listOwn.all(ownerId, offset),
    countOwn: (ownerId: number) => countOwn.get(ownerId) ?? 0,
  }
}
