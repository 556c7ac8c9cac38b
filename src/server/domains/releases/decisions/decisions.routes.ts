import type { approvalRoutes, deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import type { HeldDecision, LostDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { CapabilityKey } from '../../../../shared/capabilities.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { Judgement } from '../../../../shared/contracts/findings.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import type { RegistryReview } from '../../../../shared/contracts/releases.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { CannedReasons } from './canned-reasons.service.ts'

interface Approvals {
  withdrawApproval(reviewer: Reviewer, id: number): Promise<void>
}

interface DecisionServices extends Approvals {
  judgements: {
    judgeFinding(
      reviewer: Reviewer,
      releaseId: number,
      judgement: { fingerprint: string; reason: string; check: string | null },
    ): Promise<Judgement>
    withdrawJudgement(reviewer: Reviewer, id: number): Promise<void>
  }
  decisions: {
    decideRelease(
      reviewer: Reviewer,
      id: number,
      decision: RegistryReview & {
        growthSeen: CapabilityKey[]
        observation: Observation | null
        publishReason: boolean
      },
    ): Promise<HeldDecision | null>
  }
  held: { undoDecision(reviewer: Reviewer, id: number): Promise<void> }
  lost: {
    listLostDecisions(reviewer: Reviewer): LostDecision[]
    dismissLostDecision(reviewer: Reviewer, id: number): Promise<void>
  }
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
  const { decisions, held, lost, judgements, reasons } = services
  return {
    decideRelease: async ({ caller, params, body }) => ({
      held: await decisions.decideRelease(caller, params.id, body),
    }),
    undoDecision: ({ caller, params }) => held.undoDecision(caller, params.id),
    ...approvalHandlers(services),
    listLostDecisions: ({ caller }) => ({ items: lost.listLostDecisions(caller) }),
    dismissLostDecision: ({ caller, params }) => lost.dismissLostDecision(caller, params.id),
    judgeFinding: ({ caller, params, body }) => judgements.judgeFinding(caller, params.id, body),
    withdrawJudgement: ({ caller, params }) => judgements.withdrawJudgement(caller, params.id),
    listReasons: () => ({ items: reasons.listReasons() }),
    saveReasons: async ({ body }) => ({ items: await reasons.saveReasons(body.items) }),
  }
}
