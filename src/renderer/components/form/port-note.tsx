import { IconAlertOctagonFilled, IconCheck } from '@tabler/icons-react'
import type { PortState } from '../../../shared/contracts/desk-settings.ts'
import classes from './port-note.module.css'

/**
 * Whether a port is available, shown inside the port field. `own` is the port that the service already uses, which
 * counts as available.
 */
export function PortNote({ state, own = null }: { state: PortState | null; own?: number | null }) {
  const isGood = state?.state === 'free' || isOwn(state, own)
  const Icon = isGood ? IconCheck : IconAlertOctagonFilled
  return (
    <span className={classes['note']} data-good={isGood || undefined} role="status">
      {state !== null && (
        <>
          <Icon size={14} stroke={1.75} aria-hidden />
          {portLabels[state.state]}
        </>
      )}
    </span>
  )
}

const portLabels = { free: 'available', own: 'used by Skilldock', taken: 'in use', forbidden: 'not allowed' }

const isOwn = (state: PortState | null, own: number | null): boolean =>
  state?.state === 'own' && state.port === own

/** Why a port is unavailable, with a suggestion; null if it is available. */
export function portSentence(checked: PortState, own: number | null = null): string | null {
  const { port, state, holder, suggestion } = checked
  const other = suggestion === null ? '' : ` Port ${suggestion} is available.`
  if (state === 'taken') return `Port ${port} is in use by ${holder ?? 'another program'}.${other}`
  if (state === 'forbidden') return `This user account is not allowed to listen on port ${port}.${other}`
  return state === 'own' && !isOwn(checked, own) ? `Port ${port} is already used by Skilldock.` : null
}
