import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskOwnAccessRoutes, deskOwnRoutes } from '../../../shared/contracts/desk-own.ts'
import type { OwnRelease } from '../../../shared/contracts/desk-own.ts'
import { deskPasskeyRoutes } from '../../../shared/contracts/desk-passkeys.ts'
import { deskNotificationRoutes } from '../../../shared/contracts/desk-notifications.ts'
import type { OwnNotifications } from '../../../shared/contracts/desk-notifications.ts'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { deskThreadRoutes } from '../../../shared/contracts/thread.ts'
import { createPasskey, toPasskeyError } from '../../lib/app/passkeys.ts'
import { call } from '../../lib/server/client.ts'
import { offsetQuery, routeQuery, withBody } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'
import { texts } from './own.texts.ts'

export const ownReleasesQuery = offsetQuery(['own', 'releases'], deskOwnRoutes.listOwn)

export const ownThreadQuery = ({ name, version }: Pick<OwnRelease, 'name' | 'version'>) =>
  routeQuery(['own', 'thread', name, version], deskThreadRoutes.getOwnThread, { params: { name, version } })

export const ownAccessQuery = routeQuery(['own', 'access'], deskOwnAccessRoutes.listOwnAccess)

export const useIssueOwnToken = () => useChange(['own'], withBody(deskOwnAccessRoutes.issueOwnToken))

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

export const ownNotificationsQuery = routeQuery(
  ['own', 'notifications'],
  deskNotificationRoutes.getOwnNotifications,
)

/** A change of the person's notifications, whose reply is shown at once. They run one after another: the last one wins. */
function useNotificationMutation<Variables>(change: (variables: Variables) => Promise<OwnNotifications>) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'notifications' },
    mutationFn: change,
    onSuccess: (changed) => client.setQueryData(ownNotificationsQuery.queryKey, changed),
    onError: () => client.invalidateQueries({ queryKey: ownNotificationsQuery.queryKey }),
  })
}

export const useSetAddress = () => useNotificationMutation(withBody(deskNotificationRoutes.setOwnAddress))

export const useVerifyAddress = () =>
  useNotificationMutation(withBody(deskNotificationRoutes.verifyOwnAddress))

export const useChooseEvents = () => useNotificationMutation(withBody(deskNotificationRoutes.chooseOwnEvents))

export const useRemoveAddress = () =>
  useNotificationMutation(() => call(deskNotificationRoutes.removeOwnAddress))
