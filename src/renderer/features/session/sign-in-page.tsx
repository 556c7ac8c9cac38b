import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ApiError } from '../../lib/server/api-error.ts'
import { isRemote } from '../../lib/app/remote.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { CommandLine } from '../../components/text/command-line.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { deskStateQuery } from './session.api.ts'
import { useSignIn } from './sign-in.api.ts'
import { signInCode } from './sign-in-code.ts'
import { texts } from './session.texts.ts'

const { signIn } = texts

/** Exchanges the code of a sign-in link for a session. Usually only failures are visible. */
export function SignInPage({ code }: { code: string }) {
  useTitle(signIn.title)
  const { mutate, error, reset } = useSignIn()
  const state = useQuery(deskStateQuery)
  const sent = useRef<string | null>(null)
  useEffect(() => {
    // A code works once, but an effect may run twice.
    if (sent.current === code) return
    sent.current = code
    mutate({ code })
  }, [code, mutate])
  if (error === null) {
    return (
      <EntryFrame title={signIn.pending.title} lead={signIn.pending.lead}>
        <Skeleton rows={2} what={signIn.pending.loading} />
      </EntryFrame>
    )
  }
  // A code of another length or with other characters is that of a link that was only copied in part.
  const isInvalid = error instanceof ApiError && ['CODE_INVALID', 'VALIDATION_FAILED'].includes(error.code)
  const person = state.data?.person ?? null
  if (!isInvalid) {
    return (
      <EntryFrame title={signIn.failed.title} lead={signIn.failed.lead}>
        <Failure
          error={error}
          what={signIn.failed.failure}
          retry={() => {
            reset()
            mutate({ code })
          }}
        />
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title={signIn.usedLink.title} lead={signIn.usedLink.lead}>
      {isRemote ? (
        <p>{signIn.usedLink.remote}</p>
      ) : (
        <>
          <p>{signIn.usedLink.command}</p>
          <CommandLine command="skilldock desk" />
        </>
      )}
      {person !== null && (
        <Button onClick={() => signInCode.set(null)}>
          {signIn.usedLink.continueAs(person.name ?? person.subject)}
        </Button>
      )}
    </EntryFrame>
  )
}
