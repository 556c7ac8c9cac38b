import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { repository } from '../../../db/repository.ts'
import type { ReleaseToVerify } from './verify-release.rules.ts'

/** A package file in use. */
interface UsedDigest {
  sha256: string
  size: number
  /** `name version` of a release that uses it. */
  release: string
}

export interface Counts {
  people: number
  releases: number
  /** Distinct package files and their total bytes. */
  packages: number
  packageBytes: number
}

/** Queries for `skilldock verify` and `skilldock backup`: read everything in pages, one statement per page. */
export const verifyReleasesRepository = repository((sql) => {
  const countStatus = sql.list<[], { status: ReleaseStatus; n: number }>(
    'SELECT status, count(*) AS n FROM releases GROUP BY status',
  )

  return {
    listReleases: sql.list<[afterId: number, limit: number], ReleaseToVerify>(`
      SELECT r.id, r.name, r.version, r.owner_id AS ownerId, r.sha256, r.size, r.status,
        r.created_at AS createdAt, r.review_reason AS reviewReason,
        m.manifest, b.body, t.text,
        o.name AS ownerName,
        EXISTS (SELECT 1 FROM name_owners WHERE name = r.name AND person_id = r.owner_id) AS isOwner,
        d.action AS lastAction, d.reason AS lastReason, r.last_decision AS recordedDecision, d.id AS lastDecision,
        (SELECT group_concat(action) FROM (
           SELECT action FROM decisions WHERE release_id = r.id ORDER BY id)) AS actions
      FROM releases r
        LEFT JOIN release_manifests m ON m.release_id = r.id
        LEFT JOIN release_bodies b ON b.release_id = r.id
        LEFT JOIN release_texts t ON t.release_id = r.id
        LEFT JOIN people o ON o.id = r.owner_id
        LEFT JOIN decisions d ON d.id = (SELECT max(id) FROM decisions WHERE release_id = r.id)
      WHERE r.id > ? ORDER BY r.id LIMIT ?`),
    /** Restores the release's reference to its last decision. */
    restoreLastDecision: sql.run<[id: number]>(`
      UPDATE releases SET last_decision = (SELECT max(id) FROM decisions WHERE release_id = releases.id)
      WHERE id = ?`),
    listTexts: sql.list<[afterId: number, limit: number], { id: number; text: string }>(
      'SELECT release_id AS id, text FROM release_texts WHERE release_id > ? ORDER BY release_id LIMIT ?',
    ),
    listDigests: sql.list<[after: string, limit: number], UsedDigest>(`
      SELECT sha256, size, name || ' ' || version AS release FROM releases INDEXED BY releases_digest
      WHERE sha256 > ? GROUP BY sha256 ORDER BY sha256 LIMIT ?`),
    countStatus: () => new Map(countStatus().map(({ status, n }) => [status, n])),
    count: sql.get<[], Counts>(`
      SELECT (SELECT count(*) FROM people) AS people, (SELECT count(*) FROM releases) AS releases,
        count(*) AS packages, coalesce(sum(size), 0) AS packageBytes
      FROM (SELECT max(size) AS size FROM releases GROUP BY sha256)`),
  }
})
