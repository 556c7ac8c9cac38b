import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { providerReturnPath } from '../../shared/contracts/desk-provider-sign-in.ts'
import { Failure } from '../components/feedback/failure.tsx'
import { ConfirmPage } from '../features/session/confirm-page.tsx'
import { confirmPath } from '../features/session/pending-confirmation.ts'
import { ConfirmSignedOut } from '../features/session/confirm-signed-out.tsx'
import { deskStateQuery } from '../features/session/session.api.ts'
import { NoAdministratorPage, SignedOutPage } from '../features/session/signed-out-page.tsx'
import { ProviderReturnPage } from '../features/session/provider-return-page.tsx'
import { SignInPage } from '../features/session/sign-in-page.tsx'
import { signInCode, watchForCode } from '../features/session/sign-in-code.ts'
import { useStore } from '../lib/state/store.ts'
import classes from './gate.module.css'
import { Desk } from './desk.tsx'
import { lazyPage } from './lazy-page.tsx'
import { startLive } from './live.ts'

const FirstRunPage = lazyPage(
  async () => (await import('../features/session/first-run-page.tsx')).FirstRunPage,
)

/** Chooses the first page: first run, sign-in with a link, signed out, or the desk of a signed-in person. */
export function Gate() {
  const client = useQueryClient()
  const code = useStore(signInCode)
  const state = useQuery(deskStateQuery)
  const [path] = useLocation()
  const isConfirmation = path === confirmPath
  const signedIn = code === null && state.data?.person?.id !== undefined
  useEffect(() => watchForCode(), [])
  useEffect(() => (signedIn ? startLive(client) : undefined), [client, signedIn])

  if (state.data === undefined) {
    if (state.error === null) return null
    return (
      <main className={classes['page']}>
        <Failure error={state.error} what="Couldn't open the desk" retry={() => void state.refetch()} />
      </main>
    )
  }
  const { person, needsAdministrator } = state.data
  if (path === providerReturnPath) return <ProviderReturnPage />
  if (code !== null) {
    return needsAdministrator ? <FirstRunPage code={code} state={state.data} /> : <SignInPage code={code} />
  }
  if (person !== null) return isConfirmation ? <ConfirmPage me={person} /> : <Desk person={person} />
  if (needsAdministrator) return <NoAdministratorPage />
  return isConfirmation ? <ConfirmSignedOut /> : <SignedOutPage />
}
