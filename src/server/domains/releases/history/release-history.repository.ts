import { releaseHistoryKinds } from '../../../../shared/contracts/desk-audit-log.ts'
import type { ReleaseEvent } from '../../../../shared/contracts/desk-audit-log.ts'
import { repository } from '../../../db/repository.ts'

type HistoryRow = Omit<ReleaseEvent, 'evidence' | 'selfApproved'> & {
  evidence: number | null
  selfApproved: number
}

/** Maximum number of entries listed for one release. */
const shownOfRelease = 200

/** The part of the audit log about one release, and the state of the lists for reviewers. */
export const releaseHistoryRepository = repository((sql) => {
  const listOfRelease = sql.list<[number], HistoryRow>(`
    SELECT h.kind, h.at, h.person_id AS personId, coalesce(p.name, p.subject) AS person, h.release_id AS releaseId,
      r.name, r.version, coalesce(d.reason, j.reason, x.reason) AS why, j.check_id AS "check",
      iif(d.id IS NULL, NULL, e.decision_id IS NOT NULL) AS evidence,
      h.kind = 'approved' AND h.person_id = r.owner_id AS selfApproved
    FROM history h INDEXED BY history_release
    JOIN people p ON p.id = h.person_id JOIN releases r ON r.id = h.release_id
    LEFT JOIN decisions d ON d.id = h.ref AND h.kind IN ('approved', 'rejected', 'revoked')
    LEFT JOIN judgements j ON j.id = h.ref AND h.kind IN ('judged', 'withdrawn')
    LEFT JOIN deprecations x ON x.id = h.ref AND h.kind = 'deprecated'
    LEFT JOIN decision_evidence e ON e.decision_id = d.id
    WHERE h.release_id = ? AND h.kind IN (${releaseHistoryKinds.map((kind) => `'${kind}'`).join(', ')})
    ORDER BY h.at DESC, h.id DESC LIMIT ${shownOfRelease}`)

  return {
    /** Increases with every event of the audit log and change of a person's name. */
    listGeneration: sql.count<[]>(`
      SELECT n + (SELECT n FROM desk_topics WHERE topic = 'history') + coalesce((SELECT max(id) FROM history), 0)
      FROM catalog_generation WHERE one = 1`),
    /** Newest first. */
    listOfRelease: (releaseId: number): ReleaseEvent[] =>
      listOfRelease(releaseId).map((row) => ({
        ...row,
        evidence: row.evidence === null ? null : row.evidence === 1,
        selfApproved: row.selfApproved === 1,
      })),
  }
})
