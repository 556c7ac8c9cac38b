import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import type { DeskDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { asApiError, isUnanswered } from '../../../lib/server/api-error.ts'
import { call } from '../../../lib/server/client.ts'
import { carriedOutSentence } from '../../../lib/server/held-decisions.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { isFirstOfTwo } from './decision-effects.ts'
import { forgetReason } from './reason-draft.ts'
import { decidingScope, putHeld } from '../review.api.ts'
import type { ReviewRelease } from '../review.api.ts'
import { texts } from '../review.texts.ts'

/** Sends a decision and shows a toast if it took effect at once. For a held decision, `useOwnHeldDecisions` does. */
export function useDecision(release: ReviewRelease) {
  const { id } = release
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
      if (held === null) reportDecided(release, action, isFirst)
    },
    // Another reviewer may have decided first; the refetched release says who.
    onError: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}

/** Shows a toast for a decision that has taken effect, and forgets its notes. */
export function reportDecided(
  { id, name, version, owner }: ReviewRelease,
  action: ReviewAction,
  isFirst = false,
): void {
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
}

/**
 * Whether a decision was made although its answer was lost: the release shows it. Otherwise it would look like the decision of
 * someone who was first.
 */
export function wasMade(
  { error, variables: sent }: Pick<ReturnType<typeof useDecision>, 'error' | 'variables'>,
  { held, status, history: [latest] }: ReviewRelease,
  me: DeskPerson,
): boolean {
  if (sent === undefined || error === null || !isUnanswered(asApiError(error))) return false
  if (held !== null) return held.byId === me.id && held.action === sent.action
  const isOwn = latest?.decidedBy === (me.name ?? me.subject) && latest.reason === sent.reason
  return status === sent.action && isOwn
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
