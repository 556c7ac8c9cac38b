import { IconAlertOctagonFilled, IconCheck } from '@tabler/icons-react'
import type { PortState } from '../../../shared/contracts/desk-settings.ts'
import classes from './port-note.module.css'

/**
 * Whether a port can be had, in a shape and words: stands in the field of the port. `own`: the one that the service
 * has already, which is free for it.
 */
export function PortNote({ state, own = null }: { state: PortState | null; own?: number | null }) {
  const good = state?.state === 'free' || isOwn(state, own)
  const Icon = good ? IconCheck : IconAlertOctagonFilled
  return (
    <span className={classes['note']} data-good={good || undefined} role="status">
      {state !== null && (
        <>
          <Icon size={14} stroke={1.75} aria-hidden />
          {portWords[state.state]}
        </>
      )}
    </span>
  )
}

const portWords = { free: 'free', own: 'used here', taken: 'taken', forbidden: 'not allowed' }

const isOwn = (state: PortState | null, own: number | null): boolean =>
  state?.state === 'own' && state.port === own

/** Who has a port that cannot be had, and which one can. */
export function portSentence(asked: PortState, own: number | null = null): string | null {
  const { port, state, holder, suggestion } = asked
  const other = suggestion === null ? '' : ` ${suggestion} is free.`
  if (state === 'taken') return `${holder ?? 'Another program'} listens on ${port}.${other}`
  if (state === 'forbidden') return `The system does not let this user listen on ${port}.${other}`
  return state === 'own' && !isOwn(asked, own) ? `Skilldock itself listens on ${port}.` : null
}
