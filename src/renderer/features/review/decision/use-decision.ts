import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import type { HeldDecision } from '../../../../shared/contracts/desk-decisions.ts'
import { call } from '../../../lib/server/client.ts'
import { carriedOutSentence, ownHeld, withOwn } from '../../../lib/server/held.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { forgetReason } from './reason-draft.ts'
import { decidingScope, putHeld } from '../review.api.ts'
import type { DeskDecision, ReviewRelease } from '../review.api.ts'
import { texts } from '../review.texts.ts'

/** Sends a decision and shows a toast if it took effect at once. For a held decision, `countDown` does. */
export function useDecision({ id, name, version, owner }: ReviewRelease) {
  const client = useQueryClient()
  return useMutation({
    scope: decidingScope,
    mutationFn: (body: DeskDecision) => call(deskDecisionRoutes.decideRelease, { params: { id }, body }),
    onSuccess({ held }, { action }) {
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
            : carriedOutSentence({ action, publisher: owner.publisher }),
      })
    },
    // Another reviewer may have decided first; the refetched release says who.
    onError: () => client.invalidateQueries({ queryKey: ['releases'] }),
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
