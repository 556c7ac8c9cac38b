import type { deskDecisionRoutes } from '../../../shared/contracts/desk-decisions.ts'
import type { Judgement } from '../../../shared/contracts/findings.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import type { Handlers } from '../../http/mount.ts'

export interface DeskFindingServices {
  judgements: {
    judgeFinding(
      administrator: Administrator,
      releaseId: number,
      judgement: { fingerprint: string; reason: string; check: string | null },
    ): Promise<Judgement>
    withdrawJudgement(administrator: Administrator, id: number): Promise<void>
  }
}

/** Judging at the desk what the checks have found. */
export function deskFindingHandlers({
  judgements,
}: DeskFindingServices): Handlers<Pick<typeof deskDecisionRoutes, 'judgeFinding' | 'withdrawJudgement'>> {
  return {
    judgeFinding: ({ caller, params, body }) => judgements.judgeFinding(caller, params.id, body),
    async withdrawJudgement({ caller, params }) {
      await judgements.withdrawJudgement(caller, params.id)
      return { success: true }
    },
  }
}
