import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { call } from '../../lib/client.ts'

export const peopleQuery = queryOptions({
  queryKey: ['people', 'list'],
  queryFn: ({ signal }) => call(deskRoutes.listPeople, { signal }),
})

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['people', 'one', id],
    queryFn: ({ signal }) => call(deskRoutes.getPerson, { params: { id }, signal }),
  })

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call(deskRoutes.listProviders, { signal }),
})

/** A change of people: whatever came of it, what is on the screen is read again. */
function usePeopleMutation<Variables, Reply>(mutationFn: (variables: Variables) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['people'] }) })
}

export function useAddPerson() {
  return usePeopleMutation((person: { subject: string; name: string | undefined; role: Role }) =>
    call(deskRoutes.addPerson, { body: person }),
  )
}

export function useUpdatePerson(id: number) {
  return usePeopleMutation((change: { name?: string; role?: Role }) =>
    call(deskRoutes.updatePerson, { params: { id }, body: change }),
  )
}

export function useRemovePerson(id: number) {
  return usePeopleMutation(() => call(deskRoutes.removePerson, { params: { id } }))
}

export function useIssuePersonToken(id: number) {
  return usePeopleMutation((body: { label: string; scope: 'publish' | 'admin' | null; days: number }) =>
    call(deskRoutes.issuePersonToken, { params: { id }, body }),
  )
}

export function useEndPersonAccess(id: number) {
  return usePeopleMutation(({ kind, id: access }: Pick<AccessEntry, 'kind' | 'id'>) =>
    call(deskRoutes.endPersonAccess, { params: { id, kind, access } }),
  )
}

export function useCreateSignInLink(id: number) {
  return usePeopleMutation(() => call(deskRoutes.createSignInLink, { params: { id } }))
}

export function useTestProvider(name: string) {
  return useMutation({ mutationFn: () => call(deskRoutes.testProvider, { params: { name } }) })
}
