import { useLocation } from 'wouter'
import { providerReturnPath } from '../../shared/contracts/desk-provider-sign-in.ts'
import type { DeskState } from '../../shared/contracts/desk-session.ts'
import { ConfirmPage } from '../features/session/confirm-page.tsx'
import { FirstRunPage } from '../features/session/first-run-page.tsx'
import { confirmPath } from '../features/session/pending-confirmation.ts'
import { ProviderReturnPage } from '../features/session/provider-return-page.tsx'
import { SignInPage } from '../features/session/sign-in-page.tsx'
import { ConfirmSignedOut, NoAdministratorPage, SignedOutPage } from '../features/session/signed-out-page.tsx'

interface Props {
  state: DeskState
  /** Of a sign-in link. */
  code: string | null
}

/** The pages before and instead of the desk: first run, sign-in, signed out, and the confirmation of a terminal. */
export function EntryPages({ state, code }: Props) {
  const [path] = useLocation()
  const { person, firstRun } = state
  const isConfirmation = path === confirmPath
  if (path === providerReturnPath) return <ProviderReturnPage />
  if (code !== null) {
    return firstRun === null ? <SignInPage code={code} /> : <FirstRunPage code={code} firstRun={firstRun} />
  }
  if (person !== null) return <ConfirmPage me={person} />
  if (firstRun !== null) return <NoAdministratorPage />
  return isConfirmation ? <ConfirmSignedOut /> : <SignedOutPage />
}
