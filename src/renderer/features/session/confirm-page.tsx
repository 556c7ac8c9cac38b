import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import type { DeskLogin } from '../../../shared/contracts/logins.ts'
import { readUserCode } from '../../../shared/user-code.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { CommandLine } from '../../components/text/command-line.tsx'
import { ApiError } from '../../lib/server/api-error.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { CodeField } from './components/code-field.tsx'
import { ConfirmForm } from './components/confirm-form.tsx'
import { LoginFacts } from './components/login-facts.tsx'
import { ConfirmedPart, OutcomeTitle, TakenPart, ToDesk } from './components/login-outcome.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { LoginRights } from './components/login-rights.tsx'
import { loginQuery } from './confirm.api.ts'
import { useFragment } from './pending-confirmation.ts'
import { texts } from './session.texts.ts'

const { confirm } = texts

/** Confirms or denies a terminal's request for a token of the signed-in person. */
export function ConfirmPage({ me }: { me: DeskPerson }) {
  useTitle(confirm.title)
  const fragment = useFragment()
  const [first] = useState(fragment)
  const code = readUserCode(fragment)
  if (code === null) return <EnterCode isIncomplete={fragment !== ''} />
  return <OneLogin key={code} code={code} me={me} isTyped={fragment !== first} />
}

function EnterCode({ isIncomplete }: { isIncomplete: boolean }) {
  return (
    <EntryFrame
      title={confirm.title}
      lead={
        isIncomplete ? (
          confirm.enterCode.incomplete
        ) : (
          <>
            {confirm.enterCode.lead[0]}
            <code>skill login</code>
            {confirm.enterCode.lead[1]}
          </>
        )
      }
    >
      <CodeField />
      <ToDesk />
    </EntryFrame>
  )
}

/** Shown for a code that has expired, was forgotten by a restart, or never existed. */
function UnknownCode() {
  return (
    <EntryFrame title={confirm.unknown.title} lead={confirm.unknown.lead}>
      <p>{confirm.unknown.command}</p>
      <CommandLine command="skill login" />
      <CodeField />
      <ToDesk />
    </EntryFrame>
  )
}

interface LoginProps {
  code: string
  me: DeskPerson
  /** Whether the code was typed on the previous page, so that the focus must be moved. */
  isTyped: boolean
}

function OneLogin({ code, me, isTyped }: LoginProps) {
  const login = useQuery(loginQuery(code))
  const error = login.error
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return <UnknownCode />
  if (login.data !== undefined) return <KnownLogin code={code} login={login.data} me={me} isTyped={isTyped} />
  return (
    <EntryFrame title={confirm.title} lead={confirm.lookup.lead}>
      <Loading query={login} rows={3} what={confirm.lookup.loading} failed={confirm.lookup.failed} />
    </EntryFrame>
  )
}

function KnownLogin({ code, login, me, isTyped }: LoginProps & { login: DeskLogin }) {
  const { state, decidedBy } = login
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(isTyped ? null : state)
  useEffect(() => {
    // The button that was pressed is gone: move the focus to the new heading, so that it is announced.
    if (before.current !== state) heading.current?.focus()
    before.current = state
  }, [state])
  const name = me.name ?? me.subject
  if (state === 'waiting') {
    return (
      <EntryFrame
        heading={heading}
        title={confirm.waiting.title}
        lead={confirm.waiting.lead(name)}
        aside={<LoginRights login={login} name={name} />}
      >
        <ConfirmForm code={code} login={login} />
      </EntryFrame>
    )
  }
  const isMine = decidedBy?.id === me.id
  const who = decidedBy === null ? confirm.someone : (decidedBy.name ?? decidedBy.subject)
  const { title, lead } = {
    confirmed: {
      title: isMine ? confirm.confirmed.title : confirm.confirmed.byOther(who),
      lead: confirm.confirmed.lead,
    },
    taken: {
      title: isMine ? confirm.taken.title : confirm.confirmed.byOther(who),
      lead: isMine ? confirm.taken.lead(name) : confirm.taken.leadOther(who),
    },
    refused: confirm.refused,
  }[state]
  return (
    <EntryFrame heading={heading} title={<OutcomeTitle state={state}>{title}</OutcomeTitle>} lead={lead}>
      {state === 'taken' && isMine && <TakenPart />}
      {state === 'refused' && <p>{confirm.refused.hint}</p>}
      <LoginFacts login={login} />
      {state === 'confirmed' && <ConfirmedPart code={code} />}
      <ToDesk />
    </EntryFrame>
  )
}
