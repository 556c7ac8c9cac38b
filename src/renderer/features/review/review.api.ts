import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { deskReviewRoutes } from '../../../shared/contracts/desk-review.ts'
import { deskDecisionRoutes } from '../../../shared/contracts/desk-decisions.ts'
import type { CannedReason, HeldDecision } from '../../../shared/contracts/desk-decisions.ts'
import type { DeskRelease, QueueRow } from '../../../shared/contracts/desk-review.ts'
import { deskOwnerRoutes } from '../../../shared/contracts/owners.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery, withBody } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'
import { withUntil } from '../../lib/server/held-decisions.ts'
import type { WithHeld } from '../../lib/server/held-decisions.ts'
import { queueFilter } from './queue/queue-filter.ts'
import type { QueueFilter } from './queue/queue-filter.ts'

export type ReviewRow = WithHeld<QueueRow>
export type ReviewRelease = WithHeld<DeskRelease>

/** One page of the queue, starting at an offset. */
export const queuePageQuery = (filter: QueueFilter, offset: number) =>
  queryOptions({
    queryKey: ['releases', 'queue', filter, offset],
    queryFn: async ({ signal }) => {
      const page = await call(deskReviewRoutes.listQueue, {
        query: { ...queueFilter.query(filter), offset },
        signal,
      })
      const now = Date.now()
      return { ...page, items: page.items.map((row) => asRead(row, now)) }
    },
  })

/** How many releases are in each status; the bar shows the pending ones. */
export const statusCountsQuery = queryOptions({
  queryKey: ['releases', 'counts'],
  // Past the last row: the reply then holds the counts of all releases and no rows.
  queryFn: ({ signal }) =>
    call(deskReviewRoutes.listQueue, { query: { view: 'pending', offset: 9_999_999 }, signal }),
  select: ({ counts }) => counts,
})

export const findReleasesQuery = (q: string) =>
  routeQuery(['releases', 'find', q], deskReviewRoutes.listQueue, {
    query: { view: 'all', sort: 'newest', q },
  })

/** The id of a release by its name and version; null if there is no such release. */
export const releaseIdQuery = (name: string, version: string) =>
  queryOptions({
    queryKey: ['releases', 'by name', name, version],
    queryFn: ({ signal }) => findReleaseId(name, version, 0, signal),
  })

async function findReleaseId(
  name: string,
  version: string,
  offset: number,
  signal: AbortSignal,
): Promise<{ id: number | null }> {
  // The search takes at most 100 characters; names are never longer.
  const q = name.slice(0, 100)
  const { items } = await call(deskReviewRoutes.listQueue, {
    query: { view: 'all', sort: 'newest', q, offset },
    signal,
  })
  const found = items.find((row) => row.name === name && row.version === version)
  if (found !== undefined || items.length === 0) return { id: found?.id ?? null }
  return findReleaseId(name, version, offset + items.length, signal)
}

export const deskReleaseQuery = (id: number) =>
  queryOptions({
    queryKey: ['releases', 'one', id],
    queryFn: async ({ signal }): Promise<ReviewRelease> =>
      asRead(await call(deskReviewRoutes.getDeskRelease, { params: { id }, signal }), Date.now()),
  })

/** Releases whose decision is being undone. A read in the meantime may still report the decision as held. */
const beingUndone = new Set<number>()

function asRead<T extends { id: number; held: HeldDecision | null }>(read: T, now: number): WithHeld<T> {
  return withUntil(beingUndone.has(read.id) ? { ...read, held: null } : read, now)
}

/** Decisions and undos run one after another, so a new decision never overtakes the undo before it. */
export const decidingScope = { id: 'deciding' }

/**
 * Updates the cached release before it is refetched, so that shortcuts act on the new state and the countdown starts right
 * away.
 */
export function putHeld(client: QueryClient, id: number, held: HeldDecision | null): void {
  client.setQueryData(deskReleaseQuery(id).queryKey, (release) =>
    release === undefined ? undefined : withUntil({ ...release, held }, Date.now()),
  )
}

/** Optimistic: after an undo, the next key press may already start another decision. */
export function useUndoDecision() {
  const client = useQueryClient()
  return useMutation({
    scope: decidingScope,
    mutationFn: (id: number) => call(deskDecisionRoutes.undoDecision, { params: { id } }),
    onMutate(id) {
      const before = client.getQueryData(deskReleaseQuery(id).queryKey)?.held ?? null
      beingUndone.add(id)
      putHeld(client, id, null)
      return before
    },
    onError(_error, id, before) {
      client.setQueryData(
        deskReleaseQuery(id).queryKey,
        (release) => release && { ...release, held: before ?? null },
      )
    },
    onSettled(_reply, _error, id) {
      beingUndone.delete(id)
      void client.invalidateQueries({ queryKey: ['releases'] })
    },
  })
}

/** Dismisses a finding of a release, with a reason. */
export function useDismissFinding(releaseId: number) {
  return useChange(['releases'], withBody(deskDecisionRoutes.judgeFinding, { id: releaseId }))
}

export function useReopenFinding() {
  return useChange(['releases'], (id: number) =>
    call(deskDecisionRoutes.withdrawJudgement, { params: { id } }),
  )
}

export const nameOwnersQuery = (name: string) =>
  routeQuery(['releases', 'owners', name], deskOwnerRoutes.getNameOwners, { params: { name } })

export const useTransferName = (name: string) =>
  useChange(['releases', 'owners', name], withBody(deskOwnerRoutes.transferName, { name }))

/** The signed-in reviewer's held decisions that were not carried out. */
export const lostDecisionsQuery = routeQuery(['releases', 'lost'], deskDecisionRoutes.listLostDecisions)

export function useDismissLost() {
  return useChange(['releases', 'lost'], (id: number) =>
    call(deskDecisionRoutes.dismissLostDecision, { params: { id } }),
  )
}

export const templatesQuery = routeQuery(['releases', 'templates'], deskDecisionRoutes.listReasons)

/** `onSaved` is called with the saved templates and those sent, even if the page that saved them was left. */
export function useSaveTemplates(onSaved: (saved: CannedReason[], sent: CannedReason[]) => void) {
  const client = useQueryClient()
  return useChange(
    ['releases', 'templates'],
    (items: CannedReason[]) => call(deskDecisionRoutes.saveReasons, { body: { items } }),
    {
      onSuccess(saved, sent) {
        client.setQueryData(templatesQuery.queryKey, saved)
        onSaved(saved.items, sent)
      },
    },
  )
}
