import { releaseHistoryKinds } from '../../../../shared/contracts/desk-audit-log.ts'
import type { ReleaseEvent } from '../../../../shared/contracts/desk-audit-log.ts'
import { repository } from '../../../db/repository.ts'

type EventRow = Omit<ReleaseEvent, 'evidence' | 'selfApproved'> & {
  evidence: number | null
  selfApproved: number
}

/** Maximum number of events listed for one release. */
const shownOfRelease = 200

/** The part of the audit log about one release. */
const logged = `SELECT h.id, h.kind, h.at, coalesce(p.name, p.subject) AS person,
    coalesce(d.reason, j.reason, x.reason) AS why, j.check_id AS "check",
    iif(d.id IS NULL, NULL, e.decision_id IS NOT NULL) AS evidence,
    h.kind = 'approved' AND h.person_id = r.owner_id AS selfApproved
  FROM history h INDEXED BY history_release
  JOIN people p ON p.id = h.person_id JOIN releases r ON r.id = h.release_id
  LEFT JOIN decisions d ON d.id = h.ref AND h.kind IN ('approved', 'rejected', 'revoked')
  LEFT JOIN judgements j ON j.id = h.ref AND h.kind IN ('judged', 'withdrawn')
  LEFT JOIN deprecations x ON x.id = h.ref AND h.kind = 'deprecated'
  LEFT JOIN decision_evidence e ON e.decision_id = d.id
  WHERE h.release_id = @release AND h.kind IN (${releaseHistoryKinds.map((kind) => `'${kind}'`).join(', ')})
  ORDER BY h.at DESC, h.id DESC LIMIT ${shownOfRelease}`

/** First approvals have their reason and evidence in their own table, to which the audit log does not refer. */
const firstApprovals = `FROM first_approvals f JOIN people p ON p.id = f.approved_by
  JOIN releases r ON r.id = f.release_id WHERE f.release_id = @release`

/** The events of one release, and the state of the lists for reviewers. */
export const releaseHistoryRepository = repository((sql) => {
  const listOfRelease = sql.list<[{ release: number }], EventRow>(`
    SELECT kind, at, person, why, "check", evidence, selfApproved FROM (
      SELECT * FROM (${logged})
      UNION ALL SELECT 0, 'first-approved', f.approved_at, coalesce(p.name, p.subject), f.reason, NULL,
        f.evidence IS NOT NULL, f.approved_by = r.owner_id ${firstApprovals}
      UNION ALL SELECT 0, 'approval-withdrawn', f.withdrawn_at, coalesce(p.name, p.subject), NULL, NULL,
        NULL, FALSE ${firstApprovals} AND f.withdrawn_at IS NOT NULL
    ) ORDER BY at DESC, id DESC LIMIT ${shownOfRelease}`)

  return {
    /** Increases with every event of the audit log and change of a person's name. */
    listGeneration: sql.count<[]>(`
      SELECT n + (SELECT n FROM desk_topics WHERE topic = 'history') + coalesce((SELECT max(id) FROM history), 0)
      FROM catalog_generation WHERE one = 1`),
    /** Newest first. */
    listOfRelease: (release: number): ReleaseEvent[] =>
      listOfRelease({ release }).map((row) => ({
        ...row,
        evidence: row.evidence === null ? null : row.evidence === 1,
        selfApproved: row.selfApproved === 1,
      })),
  }
})
