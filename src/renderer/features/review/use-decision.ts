import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskDecisionRoutes } from '../../../shared/contracts/desk-decisions.ts'
import { call } from '../../lib/client.ts'
import { ownHeld, withOwn } from '../../lib/held.ts'
import { showToast } from '../../lib/toasts.ts'
import { forgetNotes } from './notes.ts'
import type { DeskDecision, ReviewRelease } from './review.api.ts'

/** Decides: what the server holds counts down from here on, and what is done at once is said at once. */
export function useDecision({ id, name, version, owner }: ReviewRelease) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: DeskDecision) => call(deskDecisionRoutes.decideRelease, { params: { id }, body }),
    onSuccess({ held }, { action }) {
      if (held !== null) {
        const since = Date.now()
        ownHeld.set(
          withOwn(ownHeld.get(), {
            releaseId: id,
            name,
            version,
            publisher: owner.publisher,
            action: held.action,
            until: since + held.remainingMs,
            since,
          }),
        )
        return
      }
      forgetNotes(id, action)
      showToast({
        kind: 'done',
        subject: `${name} ${version}`,
        text: `is ${action}. ${action === 'revoked' ? 'Nobody can download it any more.' : ''}`.trim(),
      })
    },
    // After a refusal as well: somebody may have been faster, and the release says who.
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}
