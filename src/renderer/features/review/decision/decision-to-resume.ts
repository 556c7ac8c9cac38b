import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'

interface OpenDecision {
  releaseId: number
  action: ReviewAction
}

let decision: OpenDecision | null = null

/** Remembers the open decision while the templates are edited, so that its form is open again afterwards. */
export function setDecisionToResume(open: OpenDecision | null): void {
  decision = open
}

export function decisionToResume(): OpenDecision | null {
  return decision
}
