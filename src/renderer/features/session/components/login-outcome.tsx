import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX, IconClock } from '@tabler/icons-react'
import { Link } from 'wouter'
import { loginTokenDays } from '../../../../shared/contracts/logins.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useDecideLogin } from '../confirm.api.ts'
import classes from './login-outcome.module.css'

const looks = {
  confirmed: { Icon: IconClock, tone: 'warn' },
  taken: { Icon: IconCircleCheckFilled, tone: 'ok' },
  refused: { Icon: IconCircleX, tone: 'calm' },
} as const

/** How it came out, with its shape. */
export function OutcomeTitle({ state, children }: { state: keyof typeof looks; children: string }) {
  const { Icon, tone } = looks[state]
  return (
    <span className={classes['title']} data-tone={tone}>
      <Icon size={22} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </span>
  )
}

/** Confirmed, and not picked up: it can be taken back still. */
export function ConfirmedPart({ code }: { code: string }) {
  const refuse = useDecideLogin(code, 'refuseLogin')
  return (
    <>
      <Button color="red" loading={refuse.isPending} onClick={() => refuse.mutate()}>
        Take it back
      </Button>
      {refuse.error !== null && <Failure error={refuse.error} what="It could not be taken back" />}
    </>
  )
}

export function TakenPart() {
  return (
    <p className={classes['token']}>
      Its token lasts {loginTokenDays} days. It stands under <Link href="/own">My releases</Link>, where you
      can revoke it at any moment.
    </p>
  )
}

export function RefusedPart() {
  return (
    <p>
      If you did not start it yourself, somebody may have tried to publish as you. Tell an administrator what
      stands here.
    </p>
  )
}

/** The way on, for there is no bar on these pages. */
export function ToDesk() {
  return (
    <p className={classes['on']}>
      <Link href="/">Open the desk</Link>
    </p>
  )
}
