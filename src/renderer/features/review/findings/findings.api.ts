import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import { call } from '../../../lib/server/client.ts'

/** Judges a finding of a release harmless, with a reason. */
export function useDismissFinding(releaseId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { fingerprint: string; reason: string; check: string | null }) =>
      call(deskDecisionRoutes.judgeFinding, { params: { id: releaseId }, body }),
    // After a refusal as well: somebody may have judged it meanwhile.
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}

export function useReopenFinding() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deskDecisionRoutes.withdrawJudgement, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}
