import type { ReleaseState } from '../../../../shared/contracts/release-states.ts'
import type { Connection } from '../../../db/database.ts'
import { anyValue, preparedOnce } from '../../../db/prepared-once.ts'

/** All SQL about what becomes of approved releases. */
export const releaseStatesRepository = preparedOnce((connection: Connection) => {
  const find = connection.prepare<[string, string], ReleaseState>(
    `SELECT r.name, r.version, r.sha256, r.status, (
       SELECT version FROM releases n INDEXED BY releases_latest
       WHERE n.name = r.name AND n.status = 'approved' ORDER BY n.id DESC LIMIT 1) AS latest
     FROM releases r WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status IN ('approved', 'revoked')`,
  )

  return {
    /** Null unless the release was approved once. */
    find: (name: string, version: string) => find.get(name, version) ?? null,
  }
})
