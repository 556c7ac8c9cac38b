import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Bones } from '../../components/feedback/bones.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ApiError } from '../../lib/server/api-error.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { CommandLine } from '../../components/text/command-line.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { deskStateQuery, useSignIn } from './session.api.ts'
import { signInCode } from './sign-in-code.ts'

/** Exchanges the code of the link; what is shown is mostly that it could not be. */
export function SignInPage({ code }: { code: string }) {
  useTitle('Sign in')
  const { mutate, error, reset } = useSignIn()
  const state = useQuery(deskStateQuery)
  const sent = useRef<string | null>(null)
  useEffect(() => {
    // A code counts once; an effect may run twice.
    if (sent.current === code) return
    sent.current = code
    mutate(code)
  }, [code, mutate])
  if (error === null) {
    return (
      <EntryFrame title="Signing in" lead="The link is exchanged for a session of this browser.">
        <Bones rows={2} what="the answer" />
      </EntryFrame>
    )
  }
  const used = error instanceof ApiError && error.code === 'CODE_INVALID'
  const person = state.data?.person ?? null
  if (!used) {
    return (
      <EntryFrame title="Not signed in" lead="The link has not been used up.">
        <Failure
          error={error}
          what="The link could not be exchanged"
          retry={() => {
            reset()
            mutate(code)
          }}
        />
      </EntryFrame>
    )
  }
  return (
    <EntryFrame
      title="This link does not work any more"
      lead="A sign-in link works once, within five minutes. This one was used, has expired, or is not complete."
    >
      <p>On the computer that Skilldock runs on, this command prints a new one:</p>
      <CommandLine command="skilldock desk" />
      {person !== null && (
        <Button onClick={() => signInCode.set(null)}>Go on as {person.name ?? person.subject}</Button>
      )}
    </EntryFrame>
  )
}
