import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { deskReviewRoutes } from '../../../shared/contracts/desk-review.ts'
import { deskDecisionRoutes } from '../../../shared/contracts/desk-decisions.ts'
import type { CannedReason, HeldDecision } from '../../../shared/contracts/desk-decisions.ts'
import type { DeskRelease, QueueRow } from '../../../shared/contracts/desk-review.ts'
import type { RegistryReview } from '../../../shared/contracts/releases.ts'
import type { CapabilityKey } from '../../../shared/capabilities.ts'
import type { Observation } from '../../../shared/contracts/evidence.ts'
import { call } from '../../lib/server/client.ts'
import { withUntil } from '../../lib/server/held.ts'
import type { WithHeld } from '../../lib/server/held.ts'
import type { QueueFilter } from './queue/queue-filter.ts'

export type ReviewRow = WithHeld<QueueRow>
export type ReviewRelease = WithHeld<DeskRelease>

/** One page of the queue from any place on. */
export const queuePageQuery = (filter: QueueFilter, offset: number) =>
  queryOptions({
    queryKey: ['releases', 'queue', filter, offset],
    queryFn: async ({ signal }) => {
      const page = await call(deskReviewRoutes.listQueue, {
        query: {
          view: filter.view,
          sort: filter.sort,
          status: filter.status ?? undefined,
          q: filter.q === '' ? undefined : filter.q,
          offset,
        },
        signal,
      })
      const now = Date.now()
      return { ...page, items: page.items.map((row) => asRead(row, now)) }
    },
  })

/** How many releases are in each status; the bar shows the pending ones. */
export const statusCountsQuery = queryOptions({
  queryKey: ['releases', 'counts'],
  // Past the last row: the counts are of all releases, and no rows have to be sent.
  queryFn: ({ signal }) =>
    call(deskReviewRoutes.listQueue, { query: { view: 'pending', offset: 9_999_999 }, signal }),
  select: ({ counts }) => counts,
})

export const findReleasesQuery = (q: string) =>
  queryOptions({
    queryKey: ['releases', 'find', q],
    queryFn: ({ signal }) =>
      call(deskReviewRoutes.listQueue, { query: { view: 'all', sort: 'newest', q }, signal }),
  })

/** The number of a release by its name and version; null where there is none. */
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
  // No name is longer than what can be searched for.
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

/** Decisions that are being taken back; what is read meanwhile may say of them either thing. */
const beingUndone = new Set<number>()

function asRead<T extends { id: number; held: HeldDecision | null }>(read: T, now: number): WithHeld<T> {
  return withUntil(beingUndone.has(read.id) ? { ...read, held: null } : read, now)
}

/** One after the other, so that what is decided anew never comes before what was taken back for it. */
export const decidingScope = { id: 'deciding' }

/** Brings what is kept of a release up to date before it is read again, so that no key comes too early. */
export function putHeld(client: QueryClient, id: number, held: HeldDecision | null): void {
  client.setQueryData(deskReleaseQuery(id).queryKey, (release) =>
    release === undefined ? undefined : withUntil({ ...release, held }, Date.now()),
  )
}

/** A decision with what it was made on. */
export interface DeskDecision extends RegistryReview {
  growthSeen: CapabilityKey[]
  observation: Observation | null
}

/** Counts at once: whoever takes a decision back makes another one with the next keys. */
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

/** The own decisions that were held and not carried out. */
export const lostDecisionsQuery = queryOptions({
  queryKey: ['releases', 'lost'],
  queryFn: ({ signal }) => call(deskDecisionRoutes.listLostDecisions, { signal }),
})

export function useDismissLost() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deskDecisionRoutes.dismissLostDecision, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases', 'lost'] }),
  })
}

export const templatesQuery = queryOptions({
  queryKey: ['releases', 'reasons'],
  queryFn: ({ signal }) => call(deskDecisionRoutes.listReasons, { signal }),
})

export function useSaveTemplates() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (items: CannedReason[]) => call(deskDecisionRoutes.saveReasons, { body: { items } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases', 'reasons'] }),
  })
}
