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

/** All SQL about the first approvals of releases that need two. */
export const firstApprovalRepository = repository((sql) => {
  const insert = sql.run<[NewFirstApproval & { withdrawnAt: string | null }]>(`
    INSERT INTO first_approvals (release_id, reason, approved_by, approved_at, evidence, withdrawn_at)
    VALUES (@releaseId, @reason, @approvedBy, @approvedAt, @evidence, @withdrawnAt)`)

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
  }
})
