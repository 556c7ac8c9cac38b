import type { MirrorState } from '../../../../shared/contracts/mirror.ts'
import { anyValue, repository } from '../../../db/repository.ts'

export interface MirrorRow extends MirrorState {
  /** The pinned key and the verified state of the log, as text. */
  log: string
  /** `AttestationKey[]` as JSON. */
  keys: string
  /** `Envelope[]` as JSON. */
  rotations: string
  everyMs: number | null
  problem: string | null
}

/** What the log of the mirrored registry says about a release that was approved. */
interface LoggedRelease {
  name: string
  version: string
  sha256: string
  action: 'approved' | 'revoked'
}

/** A release that is approved at the mirrored registry. */
export interface WantedRelease extends Pick<LoggedRelease, 'name' | 'version' | 'sha256'> {
  /** Null if it is not copied yet. */
  id: number | null
  status: string | null
  size: number | null
  isStale: 0 | 1
  kid: string | null
}

/** All SQL about what a mirror knows of the registry that it copies. */
export const mirrorRepository = repository((sql) => ({
  /** Null unless this registry is a mirror. */
  find: sql.find<[], MirrorRow>(
    `SELECT origin AS of, checked_at AS updatedAt, log, keys, rotations, every_ms AS everyMs, problem FROM mirror`,
  ),
  saveLog: sql.run<[row: Pick<MirrorRow, 'of' | 'log' | 'everyMs'>]>(`
      INSERT INTO mirror (id, origin, log, keys, rotations, every_ms) VALUES (1, @of, @log, '[]', '[]', @everyMs)
      ON CONFLICT DO UPDATE SET origin = @of, log = @log, every_ms = @everyMs`),
  saveKeys: sql.run<[keys: string, rotations: string]>('UPDATE mirror SET keys = ?, rotations = ?'),
  saveProblem: sql.run<[problem: string | null]>('UPDATE mirror SET problem = ?'),
  saveTime: sql.run<[time: string]>('UPDATE mirror SET checked_at = ?'),
  hasReleases: sql.exists<[]>('SELECT 1 FROM releases LIMIT 1'),
  /** Forgets all decisions, of a log that is replaced. */
  forget: sql.run<[]>('DELETE FROM mirrored_releases'),
  saveDecision: sql.run<[release: LoggedRelease]>(`
      INSERT INTO mirrored_releases (name, version, sha256, action) VALUES (@name, @version, @sha256, @action)
      ON CONFLICT DO UPDATE SET sha256 = @sha256, action = @action, kid = NULL, envelope = NULL`),
  saveStale: sql.run<[isStale: 0 | 1, name: string, version: string]>(
    'UPDATE mirrored_releases SET is_stale = ? WHERE name = ? AND version = ?',
  ),
  saveEnvelope: sql.run<[kid: string, envelope: string, name: string, version: string]>(
    'UPDATE mirrored_releases SET kid = ?, envelope = ? WHERE name = ? AND version = ?',
  ),
  listWanted: sql.list<[], WantedRelease>(`
      SELECT m.name, m.version, m.sha256, m.is_stale AS isStale, m.kid, r.id, r.status, r.size
      FROM mirrored_releases m LEFT JOIN releases r ON r.name = m.name AND r.version = m.version
      WHERE m.action = 'approved'`),
  /** Ids of releases that are approved here and no longer there. */
  listWithdrawn: sql.listValues<[], number>(`
      SELECT r.id FROM releases r LEFT JOIN mirrored_releases m ON m.name = r.name AND m.version = r.version
      WHERE r.status = 'approved' AND (m.action IS NOT 'approved' OR m.sha256 <> r.sha256)`),
  /** The attestation of an approved release. */
  findEnvelope: sql.findValue<[name: string, version: string], string | null>(
    `SELECT envelope FROM mirrored_releases WHERE name = ${anyValue} AND version = ${anyValue} AND action = 'approved'`,
  ),
  /** The digest of a revoked release. */
  findRevoked: sql.findValue<[name: string, version: string], string>(
    `SELECT sha256 FROM mirrored_releases WHERE name = ${anyValue} AND version = ${anyValue} AND action = 'revoked'`,
  ),
}))
