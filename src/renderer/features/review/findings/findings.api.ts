import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import { call } from '../../../lib/server/client.ts'

/** Dismisses a finding of a release, with a reason. */
export function useDismissFinding(releaseId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { fingerprint: string; reason: string; check: string | null }) =>
      call(deskDecisionRoutes.judgeFinding, { params: { id: releaseId }, body }),
    // Also after an error: another reviewer may have dismissed it first.
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
