import type { LostCause, LostDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { Role } from '../../../../shared/contracts/people.ts'
import { repository } from '../../../db/repository.ts'

/** A decision that has not taken effect yet. */
export interface NewHeldDecision {
  releaseId: number
  action: 'approved' | 'rejected'
  reason: string
  decidedBy: number
  heldAt: string
  dueAt: string
  /** `Evidence` as JSON. */
  evidence: string
}

/** The same with the current state of the release and of the person who decided. */
export interface HeldRow extends NewHeldDecision {
  name: string
  version: string
  by: string
  role: Role
  removedAt: string | null
}

/** Maximum number of lost decisions listed for a person. */
const listedLost = 200

const held = `SELECT h.release_id AS releaseId, h.action, h.reason, h.decided_by AS decidedBy, h.held_at AS heldAt,
    h.due_at AS dueAt, h.evidence, r.name, r.version, coalesce(p.name, p.subject) AS "by", p.role,
    p.removed_at AS removedAt
  FROM held_decisions h CROSS JOIN releases r ON r.id = h.release_id CROSS JOIN people p ON p.id = h.decided_by`

/** All SQL about held and lost decisions. */
export const heldDecisionRepository = repository((sql) => {
  const remove = sql.affects<[releaseId: number]>('DELETE FROM held_decisions WHERE release_id = ?')
  const copyToLost = sql.run<[{ releaseId: number; cause: LostCause }]>(`
    INSERT INTO lost_decisions (release_id, action, reason, decided_by, held_at, cause)
    SELECT release_id, action, reason, decided_by, held_at, @cause FROM held_decisions WHERE release_id = @releaseId`)

  return {
    find: sql.find<[releaseId: number], HeldRow>(`${held} WHERE h.release_id = ?`),
    /** In the order in which they are due. */
    list: sql.list<[], HeldRow>(`${held} ORDER BY h.due_at, h.release_id`),
    insert: sql.run<[order: NewHeldDecision]>(`
      INSERT INTO held_decisions (release_id, action, reason, decided_by, held_at, due_at, evidence)
      VALUES (@releaseId, @action, @reason, @decidedBy, @heldAt, @dueAt, @evidence)`),
    delete: remove,
    /** Turns the held decision on a release into a lost one. Returns false without a held decision. */
    lose(releaseId: number, cause: LostCause): boolean {
      copyToLost({ releaseId, cause })
      return remove(releaseId)
    },
    listLost: sql.list<[personId: number], LostDecision>(`
      SELECT l.id, l.release_id AS releaseId, r.name, r.version, l.action, l.reason, l.held_at AS heldAt, l.cause
      FROM lost_decisions l JOIN releases r ON r.id = l.release_id
      WHERE l.decided_by = ? AND l.dismissed_at IS NULL ORDER BY l.id DESC LIMIT ${listedLost}`),
    /** Returns false if the person has no such lost decision. */
    dismissLost: sql.affects<[{ id: number; personId: number; at: string }]>(`
      UPDATE lost_decisions SET dismissed_at = @at
      WHERE id = @id AND decided_by = @personId AND dismissed_at IS NULL`),
  }
})
