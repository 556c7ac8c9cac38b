import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { deskPasskeyRoutes } from '../../../shared/contracts/desk-passkeys.ts'
import { deskProviderSignInRoutes } from '../../../shared/contracts/desk-provider-sign-in.ts'
import { deskSessionRoutes, firstRunRoutes } from '../../../shared/contracts/desk-session.ts'
import type { DeskState, SignedIn } from '../../../shared/contracts/desk-session.ts'
import { askForPasskey, toPasskeyError } from '../../lib/app/passkeys.ts'
import { call } from '../../lib/server/client.ts'
import { withBody } from '../../lib/server/route-query.ts'
import { setSessionKey } from '../../lib/server/session-key.ts'
import { saveDraft } from './first-run-saved.ts'
import { takePendingConfirmation } from './pending-confirmation.ts'
import { deskStateQuery } from './session.api.ts'
import { texts } from './session.texts.ts'
import { signInCode } from './sign-in-code.ts'

/** Applies a new session: drops everything that was fetched as another person, or anonymously. */
function useStartSession(): (signedIn: SignedIn) => void {
  const client = useQueryClient()
  return ({ person, sessionKey }) => {
    setSessionKey(sessionKey)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    client.setQueryData<DeskState>(deskStateQuery.queryKey, (state) =>
      state === undefined ? state : { ...state, person, firstRun: null },
    )
    const path = takePendingConfirmation()
    if (path !== null) navigate(path, { replace: true })
    signInCode.set(null)
    saveDraft(null)
  }
}

/** A way to sign in, whose reply is the new session. */
function useSessionStart<Input>(mutationFn: (input: Input) => Promise<SignedIn>) {
  return useMutation({ mutationFn, onSuccess: useStartSession() })
}

export const useSignIn = () => useSessionStart(withBody(deskSessionRoutes.signIn))

export const usePasskeySignIn = () =>
  useSessionStart<void>(async () => {
    const options = await call(deskPasskeyRoutes.startPasskeySignIn)
    const passkey = await askForPasskey(options).catch((error: unknown) => {
      throw toPasskeyError(error, texts.ways)
    })
    return call(deskPasskeyRoutes.signInWithPasskey, { body: passkey })
  })

/** Leaves the desk for the page of the provider. */
export function useProviderSignIn() {
  const start = withBody(deskProviderSignInRoutes.startProviderSignIn)
  return useMutation({ mutationFn: start, onSuccess: ({ url }) => location.assign(url) })
}

export const useFinishProviderSignIn = () =>
  useSessionStart(withBody(deskProviderSignInRoutes.finishProviderSignIn))

export const useCreateFirstAdministrator = () =>
  useSessionStart(withBody(firstRunRoutes.createFirstAdministrator))

export const useFillWithDemo = () => useSessionStart(withBody(firstRunRoutes.fillWithDemo))

/** Checks a folder once, without caching. */
export const checkFolder = (code: string, path: string) =>
  call(firstRunRoutes.checkDataFolder, { body: { code, path } })

export const folderQuery = (code: string, path: string) =>
  queryOptions({
    queryKey: ['session', 'folder', code, path],
    queryFn: () => checkFolder(code, path),
    retry: false,
  })
