import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { decisionKeys } from '../../../components/decision/decision-keys.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import {
  heldTitle,
  latestOwn,
  ownHeld,
  undoHeld,
  withOwn,
  withoutOwn,
} from '../../../lib/server/held-decisions.ts'
import type { OwnHeld } from '../../../lib/server/held-decisions.ts'
import { readSession, writeSession } from '../../../lib/state/storage.ts'
import { useStore } from '../../../lib/state/store.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { reportDecided } from './use-decision.ts'
import { deskReleaseQuery, useUndoDecision } from '../review.api.ts'
import type { ReviewRelease, ReviewRow } from '../review.api.ts'
import { texts } from '../review.texts.ts'

// After a reload, the held decisions are found by these release ids, wherever they are in the queue.
const storageKey = 'skilldock-held'

/**
 * Tracks this reviewer's held decisions, from all reads and what `putHeld` adds to them, so that a desk resumes the
 * countdown after a restart. Shows a toast when each of them ends.
 */
export function useOwnHeldDecisions(me: DeskPerson): void {
  const client = useQueryClient()
  const list = useStore(ownHeld)
  useEffect(() => watchReads(client, me.id), [client, me.id])
  useEffect(() => writeSession(storageKey, list.length === 0 ? null : list.map(idOf).join(' ')), [list])

  const releases = useQueries({ queries: list.map(({ releaseId }) => deskReleaseQuery(releaseId)) })
  useEffect(() => {
    for (const [index, one] of list.entries()) {
      const { data: release, dataUpdatedAt = 0 } = releases[index] ?? {}
      if (release !== undefined && dataUpdatedAt >= one.since) settleOne(one, release, me.id)
    }
  }, [list, releases, me.id])
  useUndo(list)
}

const idOf = ({ releaseId }: OwnHeld): number => releaseId

/** Adds the decisions of this person that any read reports as held. */
function watchReads(client: QueryClient, me: number): () => void {
  for (const id of (readSession(storageKey) ?? '').split(' ').map(Number)) {
    if (Number.isInteger(id) && id > 0) void client.prefetchQuery(deskReleaseQuery(id))
  }
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const [topic, kind] = event.query.queryKey
    if (topic !== 'releases') return
    if (kind === 'one') addHeld([event.query.state.data as ReviewRelease], me)
    if (kind === 'queue') addHeld((event.query.state.data as { items: ReviewRow[] }).items, me)
  })
}

function addHeld(read: readonly (ReviewRow | ReviewRelease)[], me: number): void {
  for (const one of read) {
    if (one.held?.byId !== me) continue
    ownHeld.set(
      withOwn(ownHeld.get(), {
        releaseId: one.id,
        name: one.name,
        version: one.version,
        publisher: 'publisher' in one ? one.publisher : one.owner.publisher,
        action: one.held.action,
        undoMs: one.held.undoMs,
        until: one.held.until,
        since: Date.now(),
      }),
    )
  }
}

/** Ends a countdown when the release is no longer held. `LostDecisions` reports those that were not carried out. */
function settleOne(one: OwnHeld, release: ReviewRelease, me: number): void {
  if (release.held?.byId === me) return
  ownHeld.set(withoutOwn(ownHeld.get(), one.releaseId))
  const isFirst =
    one.action === 'approved' && release.status === 'pending' && release.firstApproval?.byId === me
  if (release.status === one.action || isFirst) reportDecided(release, one.action, isFirst)
}

/** The undo key undoes the latest decision, then the one before it. */
function useUndo(list: readonly OwnHeld[]): void {
  const [, navigate] = useLocation()
  const undo = useUndoDecision()
  const latest = latestOwn(list)
  const undoOne = (releaseId: number): void => {
    const one = ownHeld.get().find((own) => own.releaseId === releaseId)
    if (one === undefined) return
    // Removed immediately, so that the next press undoes the one before.
    ownHeld.set(withoutOwn(ownHeld.get(), releaseId))
    const subject = `${one.name} ${one.version}`
    // `mutateAsync`, since the callbacks of `mutate` run only for the last of several calls.
    undo.mutateAsync(releaseId).then(
      () =>
        showToast({
          kind: 'done',
          subject,
          text: texts.decision.undoneToast,
          action: { label: texts.decision.openRelease, run: () => navigate(`/review/${releaseId}`) },
        }),
      (error: unknown) => {
        ownHeld.set(withOwn(ownHeld.get(), one))
        showToast({ kind: 'error', subject, text: texts.decision.notUndoneToast(asApiError(error).message) })
      },
    )
  }
  const undoNow = useEffectEvent(undoOne)
  useEffect(() => {
    undoHeld.set((releaseId) => undoNow(releaseId))
    return () => undoHeld.set(() => {})
  }, [])
  useActions(
    latest === null
      ? []
      : [
          {
            id: 'undo',
            label: texts.decision.undoCommand(heldTitle(latest)),
            group: 'Decide',
            keys: [decisionKeys.undo],
            run: () => undoOne(latest.releaseId),
          },
        ],
  )
}
