import { queryOptions, useMutation } from '@tanstack/react-query'
import { deskPeopleRoutes } from '../../../shared/contracts/desk-people.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { call } from '../../lib/server/client.ts'
import { useChange } from '../../lib/server/use-change.ts'

const key = ['people'] as const

export const peopleQuery = queryOptions({
  queryKey: [...key, 'list'],
  queryFn: ({ signal }) => call(deskPeopleRoutes.listPeople, { signal }),
})

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => call(deskPeopleRoutes.getPerson, { params: { id }, signal }),
  })

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call(deskPeopleRoutes.listProviders, { signal }),
})

export function useAddPerson() {
  return useChange(key, (person: { subject: string; name: string | undefined; role: Role }) =>
    call(deskPeopleRoutes.addPerson, { body: person }),
  )
}

export function useUpdatePerson(id: number) {
  return useChange(key, (change: { name?: string; role?: Role }) =>
    call(deskPeopleRoutes.updatePerson, { params: { id }, body: change }),
  )
}

export function useRemovePerson(id: number) {
  return useChange(key, () => call(deskPeopleRoutes.removePerson, { params: { id } }))
}

export function useIssuePersonToken(id: number) {
  return useChange(key, (body: { label: string; scope: 'publish' | 'admin' | null; days: number }) =>
    call(deskPeopleRoutes.issuePersonToken, { params: { id }, body }),
  )
}

export function useEndPersonAccess(id: number) {
  return useChange(key, ({ kind, id: access }: Pick<AccessEntry, 'kind' | 'id'>) =>
    call(deskPeopleRoutes.endPersonAccess, { params: { id, kind, access } }),
  )
}

export function useCreateSignInLink(id: number) {
  return useChange(key, () => call(deskPeopleRoutes.createSignInLink, { params: { id } }))
}

export function useTestProvider(name: string) {
  return useMutation({ mutationFn: () => call(deskPeopleRoutes.testProvider, { params: { name } }) })
}
