import type { approvalRoutes, deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { FindingDismissals } from '../checks/dismiss-findings.service.ts'
import type { CannedReasons } from './canned-reasons.service.ts'
import type { DeskDecisions } from './decide-release.service.ts'
import type { HeldDecisions } from './held-decisions.service.ts'
import type { ReviewService } from './review-release.service.ts'

type Approvals = Pick<ReviewService, 'withdrawApproval'>

interface DecisionServices extends Approvals {
  judgements: FindingDismissals
  decisions: DeskDecisions
  held: Pick<HeldDecisions, 'undoDecision' | 'listLostDecisions' | 'dismissLostDecision'>
  reasons: CannedReasons
}

/** For tokens and in the desk. */
export function approvalHandlers(approvals: Approvals): Handlers<typeof approvalRoutes> {
  return {
    withdrawApproval: ({ caller, params }) => approvals.withdrawApproval(caller, params.id),
  }
}

/** Decisions, dismissals and templates in the desk. */
export function decisionHandlers(services: DecisionServices): Handlers<typeof deskDecisionRoutes> {
  const { decisions, held, judgements, reasons } = services
  return {
    decideRelease: async ({ caller, params, body }) => ({
      held: await decisions.decideRelease(caller, params.id, body),
    }),
    undoDecision: ({ caller, params }) => held.undoDecision(caller, params.id),
    ...approvalHandlers(services),
    listLostDecisions: ({ caller }) => ({ items: held.listLostDecisions(caller) }),
    dismissLostDecision: ({ caller, params }) => held.dismissLostDecision(caller, params.id),
    judgeFinding: ({ caller, params, body }) => judgements.judgeFinding(caller, params.id, body),
    withdrawJudgement: ({ caller, params }) => judgements.withdrawJudgement(caller, params.id),
    listReasons: () => ({ items: reasons.listReasons() }),
    saveReasons: async ({ body }) => ({ items: await reasons.saveReasons(body.items) }),
  }
}
