import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { call } from '../../lib/client.ts'

export const ownReleasesQuery = infiniteQueryOptions({
  queryKey: ['own', 'releases'],
  queryFn: ({ pageParam, signal }) => call(deskRoutes.listOwn, { query: { offset: pageParam }, signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const read = pages.reduce((sum, page) => sum + page.items.length, 0)
    return last.items.length > 0 && read < last.total ? read : undefined
  },
})

export const ownAccessQuery = queryOptions({
  queryKey: ['own', 'access'],
  queryFn: ({ signal }) => call(deskRoutes.listOwnAccess, { signal }),
})

export function useIssueOwnToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { label: string; scope: 'publish' | 'admin' | null; days: number }) =>
      call(deskRoutes.issueOwnToken, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['own'] }),
  })
}

export function useEndOwnAccess() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, id }: Pick<AccessEntry, 'kind' | 'id'>) =>
      call(deskRoutes.endOwnAccess, { params: { kind, access: id } }),
    onSettled: (_reply, _error, { kind }) =>
      client
        .invalidateQueries({ queryKey: [kind === 'session' ? 'session' : 'own'] })
        .then(() => client.invalidateQueries({ queryKey: ['own'] })),
  })
}
