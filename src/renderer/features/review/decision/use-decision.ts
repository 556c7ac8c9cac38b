import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import type { HeldDecision } from '../../../../shared/contracts/desk-decisions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { call } from '../../../lib/server/client.ts'
import { carriedOutSentence, ownHeld, withOwn } from '../../../lib/server/held-decisions.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { isFirstOfTwo } from './decision-effects.ts'
import { forgetReason } from './reason-draft.ts'
import { decidingScope, putHeld } from '../review.api.ts'
import type { DeskDecision, ReviewRelease } from '../review.api.ts'
import { texts } from '../review.texts.ts'

/** Sends a decision and shows a toast if it took effect at once. For a held decision, `countDown` does. */
export function useDecision(release: ReviewRelease) {
  const { id, name, version, owner } = release
  const client = useQueryClient()
  return useMutation({
    scope: decidingScope,
    mutationFn: (body: DeskDecision) => call(deskDecisionRoutes.decideRelease, { params: { id }, body }),
    // Before it is sent: the release may be read again before the answer arrives.
    onMutate: ({ action }) => ({ isFirst: action === 'approved' && isFirstOfTwo(release) }),
    onSuccess({ held }, { action }, { isFirst }) {
      putHeld(client, id, held)
      // Not awaited: the decision is made, and the next release can be opened.
      void client.invalidateQueries({ queryKey: ['releases'] })
      if (held !== null) return
      forgetReason(id, action)
      showToast({
        kind: 'done',
        subject: `${name} ${version}`,
        text:
          action === 'revoked'
            ? texts.decision.revokedToast
            : isFirst
              ? texts.decision.firstToast
              : carriedOutSentence({ action, publisher: owner.publisher }),
      })
    },
    // Another reviewer may have decided first; the refetched release says who.
    onError: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}

/** Withdraws the person's first approval. */
export function useWithdrawApproval({ id, name, version }: ReviewRelease) {
  const client = useQueryClient()
  const subject = `${name} ${version}`
  return useMutation({
    scope: decidingScope,
    mutationFn: () => call(deskDecisionRoutes.withdrawApproval, { params: { id } }),
    onSuccess: () => showToast({ kind: 'done', subject, text: texts.decision.withdrawnToast }),
    onError: (error) =>
      showToast({ kind: 'error', subject, text: texts.decision.notWithdrawn(asApiError(error).message) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}

/** Starts the countdown of a held decision. A desk that already shows another release learns of it by its next read. */
export function countDown({ id, name, version, owner }: ReviewRelease, held: HeldDecision): void {
  const since = Date.now()
  ownHeld.set(
    withOwn(ownHeld.get(), {
      releaseId: id,
      name,
      version,
      publisher: owner.publisher,
      action: held.action,
      undoMs: held.undoMs,
      until: since + held.remainingMs,
      since,
    }),
  )
}
