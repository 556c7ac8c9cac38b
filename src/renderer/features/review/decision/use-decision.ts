import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../../shared/contracts/desk-decisions.ts'
import type { HeldDecision } from '../../../../shared/contracts/desk-decisions.ts'
import { call } from '../../../lib/server/client.ts'
import { carriedOutSentence, ownHeld, withOwn } from '../../../lib/server/held.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { forgetReason } from './reason-draft.ts'
import { decidingScope, putHeld } from '../review.api.ts'
import type { DeskDecision, ReviewRelease } from '../review.api.ts'

/** Decides, and confirms a decision that took effect at once. One that is held is confirmed by `countDown`. */
export function useDecision({ id, name, version, owner }: ReviewRelease) {
  const client = useQueryClient()
  return useMutation({
    scope: decidingScope,
    mutationFn: (body: DeskDecision) => call(deskDecisionRoutes.decideRelease, { params: { id }, body }),
    onSuccess({ held }, { action }) {
      putHeld(client, id, held)
      // Nobody waits for these reads: the decision is made, and the next release may be looked at.
      void client.invalidateQueries({ queryKey: ['releases'] })
      if (held !== null) return
      forgetReason(id, action)
      showToast({
        kind: 'done',
        subject: `${name} ${version}`,
        text:
          action === 'revoked'
            ? 'is revoked. Nobody can download it any more.'
            : carriedOutSentence({ action, publisher: owner.publisher }),
      })
    },
    // Somebody may have been faster, and the release says who.
    onError: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}

/** What the server holds counts down from here on. A desk that has gone on meanwhile hears of it by its reads. */
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
