import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { providerReturnPath } from '../../../shared/contracts/desk-provider-sign-in.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { useTitle } from '../../lib/app/use-title.ts'
import { EntryFrame } from './components/entry-frame.tsx'
import { useFinishProviderSignIn } from './sign-in.api.ts'
import { texts } from './session.texts.ts'

const { provider } = texts

/** Where people arrive from an identity provider. Usually only failures are visible. */
export function ProviderReturnPage() {
  useTitle(provider.title)
  const [, navigate] = useLocation()
  const { mutate, error } = useFinishProviderSignIn()
  const query = useRef<string | null>(null)
  useEffect(() => {
    // The answer works once, but an effect may run twice.
    if (query.current !== null) return
    query.current = location.search.slice(1)
    // Neither a copied address nor the history contains the answer.
    history.replaceState(history.state, '', location.pathname)
    mutate(
      { query: query.current },
      {
        onSuccess: () => {
          if (location.pathname.endsWith(providerReturnPath)) navigate('/', { replace: true })
        },
      },
    )
  }, [mutate, navigate])
  if (error === null) {
    return (
      <EntryFrame title={provider.title} lead={provider.lead}>
        <Skeleton rows={2} what={provider.loading} />
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title={provider.notSignedIn} lead={error.message}>
      <Button variant="filled" onClick={() => navigate('/', { replace: true })}>
        {provider.again}
      </Button>
    </EntryFrame>
  )
}
