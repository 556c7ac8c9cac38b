import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { heldLabel, secondsLeft } from '../../../lib/server/held-decisions.ts'
import type { Held } from '../../../lib/server/held-decisions.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import classes from './held-status.module.css'

/** `rejecting in 7 s`, or `Ilse rejects in 7 s` for another reviewer. */
export function HeldStatus({ held, me, short = false }: { held: Held; me: number; short?: boolean }) {
  const now = useNow(250)
  const Icon = held.action === 'approved' ? IconCircleCheck : IconCircleX
  return (
    <span className={classes['held']} data-action={held.action} data-chip={!short || undefined}>
      <Icon size={14} stroke={1.75} aria-hidden />
      <span>{heldLabel(held, { me, short }, secondsLeft(held, now))}</span>
    </span>
  )
}
