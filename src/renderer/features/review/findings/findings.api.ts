import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import { call } from '../../../lib/server/client.ts'
import { withBody } from '../../../lib/server/route-query.ts'
import { useChange } from '../../../lib/server/use-change.ts'

/** Dismisses a finding of a release, with a reason. */
export function useDismissFinding(releaseId: number) {
  return useChange(['releases'], withBody(deskDecisionRoutes.judgeFinding, { id: releaseId }))
}

export function useReopenFinding() {
  return useChange(['releases'], (id: number) =>
    call(deskDecisionRoutes.withdrawJudgement, { params: { id } }),
  )
}
