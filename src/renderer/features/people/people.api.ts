import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskPeopleRoutes } from '../../../shared/contracts/desk-people.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { call } from '../../lib/server/client.ts'

export const peopleQuery = queryOptions({
  queryKey: ['people', 'list'],
  queryFn: ({ signal }) => call(deskPeopleRoutes.listPeople, { signal }),
})

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['people', 'one', id],
    queryFn: ({ signal }) => call(deskPeopleRoutes.getPerson, { params: { id }, signal }),
  })

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call(deskPeopleRoutes.listProviders, { signal }),
})

/** A change of people. What is on the screen is fetched again, whether the change succeeded or not. */
function usePeopleMutation<Variables, Reply>(mutationFn: (variables: Variables) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['people'] }) })
}

export function useAddPerson() {
  return usePeopleMutation((person: { subject: string; name: string | undefined; role: Role }) =>
    call(deskPeopleRoutes.addPerson, { body: person }),
  )
}

export function useUpdatePerson(id: number) {
  return usePeopleMutation((change: { name?: string; role?: Role }) =>
    call(deskPeopleRoutes.updatePerson, { params: { id }, body: change }),
  )
}

export function useRemovePerson(id: number) {
  return usePeopleMutation(() => call(deskPeopleRoutes.removePerson, { params: { id } }))
}

export function useIssuePersonToken(id: number) {
  return usePeopleMutation((body: { label: string; scope: 'publish' | 'admin' | null; days: number }) =>
    call(deskPeopleRoutes.issuePersonToken, { params: { id }, body }),
  )
}

export function useEndPersonAccess(id: number) {
  return usePeopleMutation(({ kind, id: access }: Pick<AccessEntry, 'kind' | 'id'>) =>
    call(deskPeopleRoutes.endPersonAccess, { params: { id, kind, access } }),
  )
}

export function useCreateSignInLink(id: number) {
  return usePeopleMutation(() => call(deskPeopleRoutes.createSignInLink, { params: { id } }))
}

export function useTestProvider(name: string) {
  return useMutation({ mutationFn: () => call(deskPeopleRoutes.testProvider, { params: { name } }) })
}
