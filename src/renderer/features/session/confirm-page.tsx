import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import type { DeskLogin } from '../../../shared/contracts/logins.ts'
import { readUserCode } from '../../../shared/user-code.ts'
import { Loading } from '../../components/feedback/loading.tsx'
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

interface PageTexts {
  title: string
  lead: string
}

function KnownLogin({ code, login, me, isTyped }: LoginProps & { login: DeskLogin }) {
  const { state } = login
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(isTyped ? null : state)
  useEffect(() => {
    // The button that was pressed is gone: move the focus to the new heading, so that it is announced.
    if (before.current !== state) heading.current?.focus()
    before.current = state
  }, [state])
  const name = me.name ?? me.subject
  const { title, lead } = textsOf(login, me)
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

function textsOf({ state, decidedBy }: DeskLogin, me: DeskPerson): PageTexts {
  const name = me.name ?? me.subject
  const isMine = decidedBy?.id === me.id
  const who = decidedBy === null ? confirm.someone : (decidedBy.name ?? decidedBy.subject)
  const byState: Record<DeskLogin['state'], PageTexts> = {
    waiting: {
      title: confirm.waiting.title,
      lead: confirm.waiting.lead(name),
    },
    confirmed: {
      title: isMine ? confirm.confirmed.title : confirm.confirmed.byOther(who),
      lead: confirm.confirmed.lead,
    },
    taken: {
      title: isMine ? confirm.taken.title : confirm.confirmed.byOther(who),
      lead: isMine ? confirm.taken.lead(name) : confirm.taken.leadOther(who),
    },
    refused: { title: confirm.refused.title, lead: confirm.refused.lead },
  }
  return byState[state]
}
