import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX, IconClock } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Failure } from '../../../components/feedback/failure.tsx'
import { useDecideLogin } from '../confirm.api.ts'
import { texts } from '../session.texts.ts'
import classes from './login-outcome.module.css'

const { confirm } = texts

const looks = {
  confirmed: { Icon: IconClock, tone: 'warn' },
  taken: { Icon: IconCircleCheckFilled, tone: 'ok' },
  refused: { Icon: IconCircleX, tone: 'calm' },
} as const

/** The outcome of a sign-in, with its icon. */
export function OutcomeTitle({ state, children }: { state: keyof typeof looks; children: string }) {
  const { Icon, tone } = looks[state]
  return (
    <span className={classes['title']}>
      <Icon size={22} stroke={1.75} aria-hidden data-ink={tone} />
      <span>{children}</span>
    </span>
  )
}

/** Confirmed, but the terminal has not fetched its token yet: the confirmation can still be canceled. */
export function ConfirmedPart({ code }: { code: string }) {
  const refuse = useDecideLogin(code, 'refuseLogin')
  return (
    <>
      <Button color="red" loading={refuse.isPending} onClick={() => refuse.mutate()}>
        {confirm.confirmed.undo}
      </Button>
      {refuse.error !== null && <Failure error={refuse.error} what={confirm.confirmed.undoFailed} />}
    </>
  )
}

export function TakenPart() {
  return (
    <p className={classes['token']}>
      {confirm.taken.token[0]}
      <Link href="/own">{confirm.taken.token[1]}</Link>
      {confirm.taken.token[2]}
    </p>
  )
}

/** A link to the desk, since these pages have no navigation bar. */
export function ToDesk() {
  return (
    <p className={classes['on']}>
      <Link href="/">{confirm.openDesk}</Link>
    </p>
  )
}
