import { Button, Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { DeskLogin } from '../../../../shared/contracts/logins.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useDecideLogin } from '../confirm.api.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { texts } from '../session.texts.ts'
import classes from './confirm-form.module.css'
import { LoginFacts } from './login-facts.tsx'

const { form, warning } = texts.confirm

/** The code to compare, what is known about the terminal, and the buttons to confirm or deny. */
export function ConfirmForm({ code, login }: { code: string; login: DeskLogin }) {
  return (
    <>
      <div className={classes['code']}>
        <p id="login-code">{form.code}</p>
        <output aria-labelledby="login-code">{code}</output>
      </div>
      <LoginFacts login={login} />
      <OriginWarning login={login} />
      {login.foreignIssuer === null ? (
        <Decision code={code} />
      ) : (
        <ExternalIssuer code={code} issuer={login.foreignIssuer} />
      )}
    </>
  )
}

/** Warns against phishing, more strongly the less is known about the terminal's origin. */
function OriginWarning({ login: { place, address } }: { login: DeskLogin }) {
  if (place === 'here') {
    return (
      <Notice tone="note" icon={IconInfoCircle} title={warning.link}>
        <p>{warning.linkText}</p>
      </Notice>
    )
  }
  return (
    <Notice
      tone="warn"
      icon={IconAlertTriangle}
      title={place === 'elsewhere' ? warning.otherComputer : warning.unknown}
    >
      <p>
        {place === 'elsewhere' ? warning.otherComputerText(address) : warning.unknownText} {warning.also}
      </p>
    </Notice>
  )
}

function Decision({ code }: { code: string }) {
  const [isChecked, setChecked] = useState(false)
  const [attempted, setAttempted] = useState(false)
  const checkbox = useRef<HTMLInputElement>(null)
  const confirm = useDecideLogin(code, 'confirmLogin')
  const refuse = useDecideLogin(code, 'refuseLogin')
  const isSending = confirm.isPending || refuse.isPending
  const error = confirm.error ?? refuse.error
  const send = (): void => {
    if (isSending) return
    if (isChecked) {
      refuse.reset()
      confirm.mutate()
      return
    }
    setAttempted(true)
    checkbox.current?.focus()
  }
  return (
    <>
      <Checkbox
        ref={checkbox}
        className={classes['tick'] ?? ''}
        checked={isChecked}
        onChange={(event) => setChecked(event.currentTarget.checked)}
        label={
          <>
            {form.checkbox[0]}
            <code>{code}</code>
            {form.checkbox[1]}
          </>
        }
      />
      <div className={classes['actions']} data-actions>
        <Button
          variant="filled"
          size="lg"
          loading={confirm.isPending}
          aria-disabled={!isChecked}
          aria-describedby="login-hint"
          onClick={send}
        >
          {form.confirm}
        </Button>
        <Button
          size="lg"
          loading={refuse.isPending}
          onClick={() => {
            confirm.reset()
            if (!isSending) refuse.mutate()
          }}
        >
          {form.deny}
        </Button>
        <p
          id="login-hint"
          data-text="hint"
          data-ink={attempted && !isChecked ? 'bad' : undefined}
          role="status"
        >
          {isChecked ? '' : form.checkboxHint}
        </p>
      </div>
      {error !== null && <Failure error={error} what={form.failed} />}
    </>
  )
}

/** For a person whose tokens are issued by an identity provider: this registry cannot issue one. */
function ExternalIssuer({ code, issuer }: { code: string; issuer: string }) {
  const refuse = useDecideLogin(code, 'refuseLogin')
  return (
    <>
      <div className={classes['foreign']}>
        <p>
          {form.externalIssuer[0]}
          <b>{issuer}</b>
          {form.externalIssuer[1]}
        </p>
        <CommandLine command="skill login --token-stdin" />
      </div>
      <div className={classes['actions']} data-actions>
        <Button size="lg" loading={refuse.isPending} onClick={() => refuse.mutate()}>
          {form.deny}
        </Button>
      </div>
      {refuse.error !== null && <Failure error={refuse.error} what={form.failed} />}
    </>
  )
}
