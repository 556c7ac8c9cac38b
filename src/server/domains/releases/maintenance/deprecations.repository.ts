import type { Deprecation } from '../../../../shared/contracts/release-states.ts'
import { anyValue } from '../../../db/prepared-once.ts'
import { repository } from '../../../db/repository.ts'

export interface DeprecationRow {
  releaseId: number
  reason: string
  successor: string | null
  deprecatedBy: number
  deprecatedAt: string
  withdrawnBy: number | null
  withdrawnAt: string | null
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

/** All SQL about deprecations. */
export const deprecationsRepository = repository((sql, connection) => {
  const insert = connection.prepare<[DeprecationRow]>(
    `INSERT INTO deprecations
       (release_id, reason, successor, deprecated_by, deprecated_at, withdrawn_by, withdrawn_at)
     VALUES (@releaseId, @reason, @successor, @deprecatedBy, @deprecatedAt, @withdrawnBy, @withdrawnAt)`,
  )
  const withdraw = connection.prepare<[number, string, number]>(
    'UPDATE deprecations SET withdrawn_by = ?, withdrawn_at = ? WHERE id = ?',
  )
  const isSuccessor = connection
    .prepare<[{ named: string }], number>(`SELECT ${isApproved('@named')}`)
    .pluck()
  const find = connection
    .prepare<[string, string], string | null>(
      `SELECT ${deprecationOf} FROM releases r WHERE r.name = ${anyValue} AND r.version = ${anyValue}`,
    )
    .pluck()

  return {
    findCurrent: sql.find<[releaseId: number], { id: number; reason: string; successor: string | null }>(
      'SELECT id, reason, successor FROM deprecations WHERE release_id = ? AND withdrawn_at IS NULL',
    ),
    insert: (row: Omit<DeprecationRow, 'withdrawnBy' | 'withdrawnAt'> & Partial<DeprecationRow>) =>
      insert.run({ withdrawnBy: null, withdrawnAt: null, ...row }),
    withdraw: (id: number, by: number, at: string) => withdraw.run(by, at, id),
    /** When a person made the newest ones, whatever became of them. */
    listTimes: sql.listValues<[person: number, limit: number], string>(
      'SELECT deprecated_at FROM deprecations WHERE deprecated_by = ? ORDER BY deprecated_at DESC LIMIT ?',
    ),
    /** Whether an approved release is called that: NAME or NAME@VERSION. */
    isApproved: (named: string) => isSuccessor.get({ named }) === 1,
    /** The current deprecation of a release. */
    find: (name: string, version: string) => parseDeprecation(find.get(name, version) ?? null),
  }
})

/** From `deprecationOf`, which always writes valid JSON. */
export const parseDeprecation = (json: string | null): Deprecation | null =>
  json === null ? null : (JSON.parse(json) as Deprecation)
