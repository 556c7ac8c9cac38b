import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskOwnAccessRoutes, deskOwnRoutes } from '../../../shared/contracts/desk-own.ts'
import type { OwnRelease } from '../../../shared/contracts/desk-own.ts'
import { deskPasskeyRoutes } from '../../../shared/contracts/desk-passkeys.ts'
import { deskNotificationRoutes } from '../../../shared/contracts/desk-notifications.ts'
import type { OwnNotifications } from '../../../shared/contracts/desk-notifications.ts'
import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { deskThreadRoutes } from '../../../shared/contracts/thread.ts'
import { createPasskey, toPasskeyError } from '../../lib/app/passkeys.ts'
import { call } from '../../lib/server/client.ts'
import { useChange } from '../../lib/server/use-change.ts'
import { texts } from './own.texts.ts'

export const ownReleasesQuery = infiniteQueryOptions({
  queryKey: ['own', 'releases'],
  queryFn: ({ pageParam, signal }) => call(deskOwnRoutes.listOwn, { query: { offset: pageParam }, signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const read = pages.reduce((sum, page) => sum + page.items.length, 0)
    return last.items.length > 0 && read < last.total ? read : undefined
  },
})

export const ownThreadQuery = ({ name, version }: Pick<OwnRelease, 'name' | 'version'>) =>
  queryOptions({
    queryKey: ['own', 'thread', name, version],
    queryFn: ({ signal }) => call(deskThreadRoutes.getOwnThread, { params: { name, version }, signal }),
  })

export const ownAccessQuery = queryOptions({
  queryKey: ['own', 'access'],
  queryFn: ({ signal }) => call(deskOwnAccessRoutes.listOwnAccess, { signal }),
})

export function useIssueOwnToken() {
  return useChange(['own'], (body: { label: string; scope: 'publish' | 'admin' | null; days: number }) =>
    call(deskOwnAccessRoutes.issueOwnToken, { body }),
  )
}

export function useAddPasskey() {
  return useChange(['own'], async (label: string) => {
    const options = await call(deskPasskeyRoutes.startAddingPasskey)
    const passkey = await createPasskey(options).catch((error: unknown) => {
      throw toPasskeyError(error, texts.passkey)
    })
    return call(deskPasskeyRoutes.addPasskey, { body: { label, passkey } })
  })
}

export function useEndOwnAccess() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, id }: Pick<AccessEntry, 'kind' | 'id'>) =>
      call(deskOwnAccessRoutes.endOwnAccess, { params: { kind, access: id } }),
    onSettled: (_reply, _error, { kind }) =>
      client
        .invalidateQueries({ queryKey: [kind === 'session' ? 'session' : 'own'] })
        .then(() => client.invalidateQueries({ queryKey: ['own'] })),
  })
}

export const ownNotificationsQuery = queryOptions({
  queryKey: ['own', 'notifications'],
  queryFn: ({ signal }) => call(deskNotificationRoutes.getOwnNotifications, { signal }),
})

/** A change of the person's notifications, whose reply is shown at once. */
function useNotificationMutation<Variables>(change: (variables: Variables) => Promise<OwnNotifications>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => client.setQueryData(ownNotificationsQuery.queryKey, changed),
    onError: () => client.invalidateQueries({ queryKey: ownNotificationsQuery.queryKey }),
  })
}

export function useSetAddress() {
  return useNotificationMutation((address: string) =>
    call(deskNotificationRoutes.setOwnAddress, { body: { address } }),
  )
}

export function useVerifyAddress() {
  return useNotificationMutation((code: string) =>
    call(deskNotificationRoutes.verifyOwnAddress, { body: { code } }),
  )
}

export function useChooseEvents() {
  return useNotificationMutation((events: NotificationEvent[]) =>
    call(deskNotificationRoutes.chooseOwnEvents, { body: { events } }),
  )
}

export function useRemoveAddress() {
  return useNotificationMutation(() => call(deskNotificationRoutes.removeOwnAddress))
}
