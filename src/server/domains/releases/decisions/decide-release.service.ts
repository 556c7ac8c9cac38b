import type { DeskDecision, HeldDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import type { Database } from '../../../db/database.ts'
import type { DecisionEvidence } from './decision-evidence.service.ts'
import type { HeldDecisions } from './held-decisions.service.ts'
import type { ReviewService } from './review-release.service.ts'

interface DeskDecisionParts {
  database: Database
  reviews: Pick<ReviewService, 'getDecidable' | 'decide'>
  evidence: Pick<DecisionEvidence, 'examine'>
  held: Pick<HeldDecisions, 'assertNotHeld' | 'hold'>
  /** The undo window in milliseconds; 0 if approvals and rejections take effect at once. */
  undoMs(): number
}

/** Decisions made in the desk: like those through the API, but with evidence, and held for the undo window. */
export function createDeskDecisions(parts: DeskDecisionParts) {
  const { database, reviews, evidence, held } = parts

  /** Inside a transaction: the release and the evidence for the decision. */
  const examine = (reviewer: Reviewer, id: number, decision: DeskDecision) => {
    held.assertNotHeld(id, reviewer)
    const release = reviews.getDecidable(id, decision.action, reviewer.id)
    return { release, evidence: evidence.examine(release, decision) }
  }

  return {
    /**
     * Returns the held decision, or null if it has taken effect. Throws NOT_FOUND, INVALID_TRANSITION, SELF_REVIEW,
     * GROWTH_NOT_SEEN and EVIDENCE_MISMATCH.
     */
    async decideRelease(
      reviewer: Reviewer,
      id: number,
      decision: DeskDecision,
    ): Promise<HeldDecision | null> {
      const { action, reason } = decision
      const undoMs = parts.undoMs()
      if (action === 'revoked' || undoMs === 0) {
        await database.transact(() => {
          const examined = examine(reviewer, id, decision)
          reviews.decide(examined.release, {
            action,
            reason,
            by: reviewer.id,
            evidence: examined.evidence,
            publishReason: decision.publishReason,
          })
        })
        return null
      }
      await held.hold(id, undoMs, () => ({
        action,
        reason,
        decidedBy: reviewer.id,
        evidence: JSON.stringify(examine(reviewer, id, decision).evidence),
      }))
      const by = reviewer.name ?? reviewer.subject
      return { action, byId: reviewer.id, by, undoMs, remainingMs: undoMs }
    },
  }
}

export type DeskDecisions = ReturnType<typeof createDeskDecisions>
