import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { deskSessionRoutes, firstRunRoutes } from '../../../shared/contracts/desk-session.ts'
import type { DeskState, SignedIn } from '../../../shared/contracts/desk-session.ts'
import type { SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { call } from '../../lib/server/client.ts'
import { setSessionKey } from '../../lib/server/session-key.ts'
import { takeConfirmPlace } from './confirm-place.ts'
import { keepDraft } from './first-run-draft.ts'
import { signInCode } from './sign-in-code.ts'

export const deskStateQuery = queryOptions({
  queryKey: ['session', 'state'],
  queryFn: ({ signal }) => call(deskSessionRoutes.getDeskState, { signal }),
})

/** After it the desk belongs to another person, or to somebody at last: nothing that was read before counts. */
function useEnter(): (signedIn: SignedIn) => void {
  const client = useQueryClient()
  return ({ person, sessionKey }) => {
    setSessionKey(sessionKey)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    client.setQueryData<DeskState>(deskStateQuery.queryKey, (state) =>
      state === undefined ? state : { ...state, person, needsAdministrator: false },
    )
    const place = takeConfirmPlace()
    if (place !== null) navigate(place, { replace: true })
    signInCode.set(null)
    keepDraft(null)
  }
}

export function useSignIn() {
  const enter = useEnter()
  return useMutation({
    mutationFn: (code: string) => call(deskSessionRoutes.signIn, { body: { code } }),
    onSuccess: enter,
  })
}

export function useCreateFirstAdministrator() {
  const enter = useEnter()
  return useMutation({
    mutationFn: (body: { code: string; subject: string; name: string; settings?: SettingChanges }) =>
      call(deskSessionRoutes.createFirstAdministrator, { body }),
    onSuccess: enter,
  })
}

/** For a folder that is looked at once. */
export const checkFolder = (code: string, path: string) =>
  call(firstRunRoutes.checkDataFolder, { body: { code, path } })

export const folderQuery = (code: string, path: string) =>
  queryOptions({
    queryKey: ['session', 'folder', code, path],
    queryFn: () => checkFolder(code, path),
    retry: false,
  })

export function useFillWithDemo() {
  const enter = useEnter()
  return useMutation({
    mutationFn: (code: string) => call(firstRunRoutes.fillWithDemo, { body: { code } }),
    onSuccess: enter,
  })
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(deskSessionRoutes.signOut),
    // Also when it fails because the session is over: the gate then asks who is signed in.
    onSettled: async (_, error) => {
      if (error === null || (error instanceof ApiError && error.code === 'SESSION_MISSING'))
        setSessionKey(null)
      await client.invalidateQueries({ queryKey: ['session'] })
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    },
  })
}
