import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { providerReturnPath } from '../../shared/contracts/desk-provider-sign-in.ts'
import { Failure } from '../components/feedback/failure.tsx'
import { confirmPath } from '../features/session/pending-confirmation.ts'
import { deskStateQuery } from '../features/session/session.api.ts'
import { signInCode, watchForCode } from '../features/session/sign-in-code.ts'
import { setDraftOwner } from '../lib/state/storage.ts'
import { useStore } from '../lib/state/store.ts'
import classes from './gate.module.css'
import { Desk } from './desk.tsx'
import { lazyPage } from './lazy-page.tsx'
import { startLive } from './live-updates.ts'

const EntryPages = lazyPage(async () => (await import('./entry-pages.tsx')).EntryPages)

/** Shows the desk of a signed-in person, or the page that comes before it. */
export function Gate() {
  const client = useQueryClient()
  const code = useStore(signInCode)
  const state = useQuery(deskStateQuery)
  const [path] = useLocation()
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
  const { person } = state.data
  const isEntry = code !== null || path === providerReturnPath || path === confirmPath
  if (person === null || isEntry) return <EntryPages state={state.data} code={code} />
  setDraftOwner(person.id)
  return <Desk key={person.id} person={person} />
}
