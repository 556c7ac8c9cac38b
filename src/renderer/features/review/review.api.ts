import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { RegistryReview } from '../../../shared/contracts/releases.ts'
import { call } from '../../lib/client.ts'
import { forgetNotes } from './notes.ts'
import type { QueueFilter } from './queue-filter.ts'

export const queueQuery = (filter: QueueFilter) =>
  infiniteQueryOptions({
    queryKey: ['releases', 'queue', filter],
    queryFn: ({ pageParam, signal }) =>
      call(deskRoutes.listQueue, {
        query: {
          view: filter.view,
          sort: filter.sort,
          status: filter.status ?? undefined,
          q: filter.q === '' ? undefined : filter.q,
          offset: pageParam,
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, page) => sum + page.items.length, 0)
      return last.items.length > 0 && read < last.total ? read : undefined
    },
  })

/** How many releases are in each status; the bar shows the pending ones. */
export const statusCountsQuery = queryOptions({
  queryKey: ['releases', 'counts'],
  // Past the last row: the counts are of all releases, and no rows have to be sent.
  queryFn: ({ signal }) =>
    call(deskRoutes.listQueue, { query: { view: 'pending', offset: 9_999_999 }, signal }),
  select: ({ counts }) => counts,
})

export const findReleasesQuery = (q: string) =>
  queryOptions({
    queryKey: ['releases', 'find', q],
    queryFn: ({ signal }) =>
      call(deskRoutes.listQueue, { query: { view: 'all', sort: 'newest', q }, signal }),
  })

export const deskReleaseQuery = (id: number) =>
  queryOptions({
    queryKey: ['releases', 'one', id],
    queryFn: ({ signal }) => call(deskRoutes.getDeskRelease, { params: { id }, signal }),
  })

/** Decides; the notes that were kept for the release are forgotten when they have been sent. */
export function useDecideRelease(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RegistryReview) => call(deskRoutes.decideRelease, { params: { id }, body }),
    onSuccess: (_reply, { action }) => forgetNotes(id, action),
    // After a refusal as well: somebody may have been faster, and the history says who.
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}
