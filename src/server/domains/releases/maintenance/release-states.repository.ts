import type { Deprecation, ReleaseState } from '../../../../shared/contracts/release-states.ts'
import { anyValue, repository } from '../../../db/repository.ts'

export interface DeprecationRow {
  releaseId: number
  reason: string
  successor: string | null
  deprecatedBy: number
  deprecatedAt: string
  withdrawnBy: number | null
  withdrawnAt: string | null
}

type StateRow = Pick<ReleaseState, 'name' | 'version' | 'sha256' | 'status' | 'latest'> & {
  id: number
  decidedAt: string
  /** As JSON. */
  deprecation: string | null
}

/** A revoked release. */
export interface RevokedRow {
  id: number
  name: string
  version: string
  sha256: string
  decidedAt: string
  /** Null if it is not public. */
  reason: string | null
}

/** Whether an approved release is called `named`: NAME, for any version, or NAME@VERSION. */
const isApproved = (named: string): string =>
  `EXISTS (SELECT 1 FROM releases s INDEXED BY releases_latest
   WHERE s.name = substr(${named}, 1, instr(${named} || '@', '@') - 1) AND s.status = 'approved'
     AND ${named} IN (s.name, s.name || '@' || s.version))`

/** The current deprecation of a release `r` as JSON or null; without its successor if that is no longer approved. */
export const deprecationOf = `(
  SELECT json_object('reason', x.reason, 'successor', iif(${isApproved('x.successor')}, x.successor, NULL),
    'deprecatedAt', x.deprecated_at)
  FROM deprecations x WHERE x.release_id = r.id AND x.withdrawn_at IS NULL)`

/** From `deprecationOf`, which always writes valid JSON. */
export const parseDeprecation = (json: string | null): Deprecation | null =>
  json === null ? null : (JSON.parse(json) as Deprecation)

const latestOf = (name: string): string =>
  `SELECT version FROM releases n INDEXED BY releases_latest
   WHERE n.name = ${name} AND n.status = 'approved' ORDER BY n.id DESC LIMIT 1`

/** All SQL about what becomes of approved releases. */
export const releaseStatesRepository = repository((sql) => {
  const findDeprecation = sql.findValue<[name: string, version: string], string | null>(
    `SELECT ${deprecationOf} FROM releases r WHERE r.name = ${anyValue} AND r.version = ${anyValue}`,
  )

  return {
    /** Null unless the release was approved once. */
    find: sql.find<[name: string, version: string], StateRow>(`
      SELECT r.id, r.name, r.version, r.sha256, r.status, (${latestOf('r.name')}) AS latest,
        d.decided_at AS decidedAt, ${deprecationOf} AS deprecation
      FROM releases r JOIN decisions d ON d.id = r.last_decision
      WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status IN ('approved', 'revoked')`),
    findLatest: sql.findValue<[name: string], string>(latestOf(anyValue)),
    /** Newest submission first, which is the same order in a rebuilt database. */
    listRevoked: sql.list<[limit: number, offset: number], RevokedRow>(`
      SELECT r.id, r.name, r.version, r.sha256, d.decided_at AS decidedAt,
        iif(p.decision_id IS NULL, NULL, d.reason) AS reason
      FROM releases r INDEXED BY releases_status CROSS JOIN decisions d ON d.id = r.last_decision
      LEFT JOIN published_reasons p ON p.decision_id = d.id
      WHERE r.status = 'revoked' ORDER BY r.id DESC LIMIT ? OFFSET ?`),
    /** The current deprecation of a release. */
    findDeprecation: (name: string, version: string) => parseDeprecation(findDeprecation(name, version)),
    findCurrent: sql.find<[releaseId: number], { id: number; reason: string; successor: string | null }>(
      'SELECT id, reason, successor FROM deprecations WHERE release_id = ? AND withdrawn_at IS NULL',
    ),
    insertDeprecation: sql.run<[row: DeprecationRow]>(`
      INSERT INTO deprecations
        (release_id, reason, successor, deprecated_by, deprecated_at, withdrawn_by, withdrawn_at)
      VALUES (@releaseId, @reason, @successor, @deprecatedBy, @deprecatedAt, @withdrawnBy, @withdrawnAt)`),
    withdraw: sql.run<[{ id: number; by: number; at: string }]>(
      'UPDATE deprecations SET withdrawn_by = @by, withdrawn_at = @at WHERE id = @id',
    ),
    /** When a person made the newest deprecations, whatever became of them. */
    listTimes: sql.listValues<[person: number, limit: number], string>(
      'SELECT deprecated_at FROM deprecations WHERE deprecated_by = ? ORDER BY deprecated_at DESC LIMIT ?',
    ),
    /** Whether an approved release is called that: NAME or NAME@VERSION. */
    isApproved: sql.exists<[{ named: string }]>(`SELECT 1 WHERE ${isApproved('@named')}`),
  }
})
