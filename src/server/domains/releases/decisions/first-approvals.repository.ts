import type { ReleaseEvent } from '../../../../shared/contracts/desk-audit-log.ts'
import { repository } from '../../../db/repository.ts'

interface NewFirstApproval {
  releaseId: number
  reason: string
  approvedBy: number
  approvedAt: string
  /** `Evidence` as JSON. */
  evidence: string | null
}

export interface FirstApprovalRow extends NewFirstApproval {
  id: number
  personName: string | null
  subject: string
}

type EventRow = Omit<ReleaseEvent, 'check' | 'evidence' | 'selfApproved'> & {
  evidence: number
  selfApproved: number
}

const events = (kind: string, at: string): string =>
  `SELECT '${kind}' AS kind, ${at} AS at, f.approved_by AS personId, coalesce(p.name, p.subject) AS person,
     f.release_id AS releaseId, r.name, r.version, iif('${kind}' = 'first-approved', f.reason, NULL) AS why,
     f.evidence IS NOT NULL AS evidence, f.approved_by = r.owner_id AS selfApproved
   FROM first_approvals f JOIN people p ON p.id = f.approved_by JOIN releases r ON r.id = f.release_id
   WHERE f.release_id = @releaseId AND ${at} IS NOT NULL`

/** All SQL about the first approvals of releases that need two. */
export const firstApprovalRepository = repository((sql) => {
  const insert = sql.run<[NewFirstApproval & { withdrawnAt: string | null }]>(`
    INSERT INTO first_approvals (release_id, reason, approved_by, approved_at, evidence, withdrawn_at)
    VALUES (@releaseId, @reason, @approvedBy, @approvedAt, @evidence, @withdrawnAt)`)
  const listEvents = sql.list<[{ releaseId: number }], EventRow>(
    `${events('first-approved', 'f.approved_at')} UNION ALL ${events('approval-withdrawn', 'f.withdrawn_at')}`,
  )

  return {
    /** The first approval that was not withdrawn. */
    find: sql.find<[releaseId: number], FirstApprovalRow>(`
      SELECT f.id, f.release_id AS releaseId, f.reason, f.approved_by AS approvedBy, f.approved_at AS approvedAt,
        f.evidence, p.name AS personName, p.subject
      FROM first_approvals f JOIN people p ON p.id = f.approved_by
      WHERE f.release_id = ? AND f.withdrawn_at IS NULL`),
    insert: (approval: NewFirstApproval, withdrawnAt: string | null = null) =>
      insert({ ...approval, withdrawnAt }),
    withdraw: sql.run<[{ id: number; at: string }]>(
      'UPDATE first_approvals SET withdrawn_at = @at WHERE id = @id AND withdrawn_at IS NULL',
    ),
    listEvents: (releaseId: number): ReleaseEvent[] =>
      listEvents({ releaseId }).map((row) => ({
        ...row,
        check: null,
        evidence: row.kind === 'first-approved' ? row.evidence === 1 : null,
        selfApproved: row.kind === 'first-approved' && row.selfApproved === 1,
      })),
  }
})
