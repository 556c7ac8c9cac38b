import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import type { DeskLogin } from '../../../shared/contracts/logins.ts'
import { readUserCode } from '../../../shared/user-code.ts'
import { Bones } from '../../components/feedback/bones.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ApiError } from '../../lib/server/api-error.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { CodeField } from './components/code-field.tsx'
import { ConfirmForm } from './components/confirm-form.tsx'
import { LoginFacts } from './components/login-facts.tsx'
import { ConfirmedPart, OutcomeTitle, RefusedPart, TakenPart, ToDesk } from './components/login-outcome.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { LoginRights } from './components/login-rights.tsx'
import { UnknownCode } from './components/unknown-code.tsx'
import { loginQuery } from './confirm.api.ts'
import { useFragment } from './confirm-place.ts'

/** Lets a terminal have a token of whoever is signed in here, or refuses it. */
export function ConfirmPage({ me }: { me: DeskPerson }) {
  useTitle('Confirm a terminal')
  const fragment = useFragment()
  const [first] = useState(fragment)
  const code = readUserCode(fragment)
  if (code === null) return <AskForCode isBroken={fragment !== ''} />
  return <OneLogin key={code} code={code} me={me} isTyped={fragment !== first} />
}

function AskForCode({ isBroken }: { isBroken: boolean }) {
  return (
    <EntryFrame
      title="Confirm a terminal"
      lead={
        isBroken ? (
          'This link holds no whole code. Type the one that your terminal shows.'
        ) : (
          <>
            After <code>skill login</code> your own terminal shows a code. Type it here.
          </>
        )
      }
    >
      <CodeField />
      <ToDesk />
    </EntryFrame>
  )
}

interface LoginProps {
  code: string
  me: DeskPerson
  /** Whether it came in the place of a page with a field. */
  isTyped: boolean
}

function OneLogin({ code, me, isTyped }: LoginProps) {
  const login = useQuery(loginQuery(code))
  const error = login.error
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return <UnknownCode />
  if (login.data !== undefined) return <KnownLogin code={code} login={login.data} me={me} isTyped={isTyped} />
  return (
    <EntryFrame title="Confirm a terminal" lead="The code is looked up.">
      {error === null ? (
        <Bones rows={3} what="the code" />
      ) : (
        <Failure error={error} what="The code cannot be looked up" retry={() => void login.refetch()} />
      )}
    </EntryFrame>
  )
}

interface Words {
  title: string
  lead: string
}

function KnownLogin({ code, login, me, isTyped }: LoginProps & { login: DeskLogin }) {
  const { state } = login
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(isTyped ? null : state)
  useEffect(() => {
    // What was pressed is gone; where the page goes on is read out.
    if (before.current !== state) heading.current?.focus()
    before.current = state
  }, [state])
  const name = me.name ?? me.subject
  const { title, lead } = wordsOf(login, me)
  return (
    <EntryFrame
      heading={heading}
      title={state === 'waiting' ? title : <OutcomeTitle state={state}>{title}</OutcomeTitle>}
      lead={lead}
      {...(state === 'waiting' ? { aside: <LoginRights login={login} name={name} /> } : {})}
    >
      {state === 'waiting' && <ConfirmForm code={code} login={login} />}
      {state === 'taken' && login.decidedBy?.id === me.id && <TakenPart />}
      {state === 'refused' && <RefusedPart />}
      {state !== 'waiting' && <LoginFacts login={login} />}
      {state === 'confirmed' && <ConfirmedPart code={code} />}
      {state !== 'waiting' && <ToDesk />}
    </EntryFrame>
  )
}

function wordsOf({ state, decidedBy }: DeskLogin, me: DeskPerson): Words {
  const name = me.name ?? me.subject
  const isMine = decidedBy?.id === me.id
  const who = decidedBy === null ? 'Somebody' : (decidedBy.name ?? decidedBy.subject)
  const words: Record<DeskLogin['state'], Words> = {
    waiting: {
      title: 'Let a terminal publish as you?',
      lead: `Whoever sits at it can then submit releases in the name of ${name}.`,
    },
    confirmed: {
      title: isMine ? 'Confirmed. You can go back to the terminal.' : `${who} has confirmed this.`,
      lead: 'The terminal picks its token up by itself, within a few seconds.',
    },
    taken: {
      title: isMine ? 'The terminal is signed in. You can go back to it.' : `${who} has confirmed this.`,
      lead: isMine ? `It publishes as ${name}.` : `The terminal publishes as ${who}.`,
    },
    refused: { title: 'Refused. The terminal gets nothing.', lead: 'Its code counts no more.' },
  }
  return words[state]
}
