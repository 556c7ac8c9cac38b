import type { ReleaseState } from '../../../../shared/contracts/release-states.ts'
import { anyValue } from '../../../db/prepared-once.ts'
import { repository } from '../../../db/repository.ts'
import type { RevokedRow } from './advisories.rules.ts'
import { deprecationOf, parseDeprecation } from './deprecations.repository.ts'

type StateRow = Pick<ReleaseState, 'name' | 'version' | 'sha256' | 'status' | 'latest'> & {
  id: number
  decidedAt: string
  /** As JSON. */
  deprecation: string | null
}

const latestOf = (name: string): string =>
  `SELECT version FROM releases n INDEXED BY releases_latest
   WHERE n.name = ${name} AND n.status = 'approved' ORDER BY n.id DESC LIMIT 1`

/** All SQL about what becomes of approved releases. */
export const releaseStatesRepository = repository((sql, connection) => {
  const find = connection.prepare<[string, string], StateRow>(
    `SELECT r.id, r.name, r.version, r.sha256, r.status, (${latestOf('r.name')}) AS latest,
       d.decided_at AS decidedAt, ${deprecationOf} AS deprecation
     FROM releases r JOIN decisions d ON d.id = r.last_decision
     WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status IN ('approved', 'revoked')`,
  )

  return {
    findLatest: sql.findValue<[name: string], string>(latestOf(anyValue)),
    /** Null unless the release was approved once. */
    find(name: string, version: string) {
      const row = find.get(name, version)
      return row === undefined ? null : { ...row, deprecation: parseDeprecation(row.deprecation) }
    },
    /** Newest submission first, which is the same order in a rebuilt database. */
    listRevoked: sql.list<[limit: number, offset: number], RevokedRow>(`
      SELECT r.id, r.name, r.version, r.sha256, d.decided_at AS decidedAt,
        iif(p.decision_id IS NULL, NULL, d.reason) AS reason
      FROM releases r INDEXED BY releases_status CROSS JOIN decisions d ON d.id = r.last_decision
      LEFT JOIN published_reasons p ON p.decision_id = d.id
      WHERE r.status = 'revoked' ORDER BY r.id DESC LIMIT ? OFFSET ?`),
  }
})
