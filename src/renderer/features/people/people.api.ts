import { useMutation } from '@tanstack/react-query'
import { deskPeopleRoutes } from '../../../shared/contracts/desk-people.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery, withBody } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'

const key = ['people'] as const

export const peopleQuery = routeQuery([...key, 'list'], deskPeopleRoutes.listPeople)

export const personQuery = (id: number) =>
  routeQuery([...key, 'one', id], deskPeopleRoutes.getPerson, { params: { id } })

export const providersQuery = routeQuery(['providers'], deskPeopleRoutes.listProviders)

export const useAddPerson = () => useChange(key, withBody(deskPeopleRoutes.addPerson))

export const useUpdatePerson = (id: number) => useChange(key, withBody(deskPeopleRoutes.updatePerson, { id }))

export const useRemovePerson = (id: number) =>
  useChange(key, () => call(deskPeopleRoutes.removePerson, { params: { id } }))

export const useIssuePersonToken = (id: number) =>
  useChange(key, withBody(deskPeopleRoutes.issuePersonToken, { id }))

export const useEndPersonAccess = (id: number) =>
  useChange(key, ({ kind, id: access }: Pick<AccessEntry, 'kind' | 'id'>) =>
    call(deskPeopleRoutes.endPersonAccess, { params: { id, kind, access } }),
  )

export const useCreateSignInLink = (id: number) =>
  useChange(key, () => call(deskPeopleRoutes.createSignInLink, { params: { id } }))

export const useTestProvider = (name: string) =>
  useMutation({ mutationFn: () => call(deskPeopleRoutes.testProvider, { params: { name } }) })
