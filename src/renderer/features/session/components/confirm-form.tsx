import { Button, Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { DeskLogin } from '../../../../shared/contracts/logins.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useDecideLogin } from '../confirm.api.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'
import classes from './confirm-form.module.css'
import { LoginFacts } from './login-facts.tsx'

/** What asks, the code to compare, and the two answers. */
export function ConfirmForm({ code, login }: { code: string; login: DeskLogin }) {
  return (
    <>
      <div className={classes['code']}>
        <p id="login-code">Your own terminal has to show exactly this code:</p>
        <output aria-labelledby="login-code">{code}</output>
      </div>
      <LoginFacts login={login} />
      <Doubts login={login} />
      {login.foreignIssuer === null ? (
        <Decision code={code} />
      ) : (
        <Foreign code={code} issuer={login.foreignIssuer} />
      )}
    </>
  )
}

/** Why one might not want to: the more, the less is known of where it comes from. */
function Doubts({ login: { place, address } }: { login: DeskLogin }) {
  if (place === 'here') {
    return (
      <Notice tone="note" icon={IconInfoCircle} title="Did somebody send you this link or this code?">
        <p>Then refuse. It is their terminal that would publish as you.</p>
      </Notice>
    )
  }
  return (
    <Notice
      tone="warn"
      icon={IconAlertTriangle}
      title={place === 'elsewhere' ? 'It asks from another computer.' : 'Where it asks from is not known.'}
    >
      <p>
        {place === 'elsewhere'
          ? `Confirm only while you sit at the terminal of ${address} yourself.`
          : 'It came through a proxy. Confirm only while you sit at that terminal yourself.'}{' '}
        Did somebody send you this link or this code? Then refuse: their terminal would publish as you.
      </p>
    </Notice>
  )
}

function Decision({ code }: { code: string }) {
  const [isSeen, setSeen] = useState(false)
  const [wasAsked, setAsked] = useState(false)
  const tick = useRef<HTMLInputElement>(null)
  const confirm = useDecideLogin(code, 'confirmLogin')
  const refuse = useDecideLogin(code, 'refuseLogin')
  const isSending = confirm.isPending || refuse.isPending
  const error = confirm.error ?? refuse.error
  const send = (): void => {
    if (isSending) return
    if (isSeen) {
      refuse.reset()
      confirm.mutate()
      return
    }
    setAsked(true)
    tick.current?.focus()
  }
  return (
    <>
      <Checkbox
        ref={tick}
        className={classes['tick'] ?? ''}
        checked={isSeen}
        onChange={(event) => setSeen(event.currentTarget.checked)}
        label={
          <>
            I have started this myself, and my terminal shows <code>{code}</code>.
          </>
        }
      />
      <div className={classes['actions']}>
        <Button
          variant="filled"
          size="lg"
          loading={confirm.isPending}
          aria-disabled={!isSeen}
          aria-describedby="login-hint"
          onClick={send}
        >
          Confirm
        </Button>
        <Button
          size="lg"
          loading={refuse.isPending}
          onClick={() => {
            confirm.reset()
            if (!isSending) refuse.mutate()
          }}
        >
          Refuse
        </Button>
        <p
          id="login-hint"
          className={classes['hint']}
          data-wrong={(wasAsked && !isSeen) || undefined}
          role="status"
        >
          {isSeen ? '' : 'Compare the codes and tick the line before you confirm.'}
        </p>
      </div>
      {error !== null && <Failure error={error} what="That was not taken" />}
    </>
  )
}

/** Somebody whose tokens this registry does not make. */
function Foreign({ code, issuer }: { code: string; issuer: string }) {
  const refuse = useDecideLogin(code, 'refuseLogin')
  return (
    <>
      <div className={classes['foreign']}>
        <p>
          You cannot confirm it: your tokens come from <b>{issuer}</b>. Get one there, and give it to this
          command:
        </p>
        <CommandLine command="skill login --token-stdin" />
      </div>
      <div className={classes['actions']}>
        <Button size="lg" loading={refuse.isPending} onClick={() => refuse.mutate()}>
          Refuse
        </Button>
      </div>
      {refuse.error !== null && <Failure error={refuse.error} what="That was not taken" />}
    </>
  )
}
