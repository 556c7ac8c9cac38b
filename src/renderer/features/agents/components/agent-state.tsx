import {
  IconAlertOctagonFilled,
  IconHelpCircle,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStop,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import classes from './agent-state.module.css'

const looks = {
  crashed: { Icon: IconAlertOctagonFilled, tone: 'bad', word: 'Crashed' },
  paused: { Icon: IconPlayerPauseFilled, tone: 'warn', word: 'Paused' },
  stopped: { Icon: IconPlayerStop, tone: 'calm', word: 'Stopped' },
  running: { Icon: IconPlayerPlayFilled, tone: 'ok', word: 'Running' },
  unknown: { Icon: IconHelpCircle, tone: 'calm', word: 'unknown' },
} as const

interface Props {
  state: AgentState
  /** The word of the database, told where the state is not known. */
  status?: string | null
  children?: ReactNode
}

/** An agent's state: first the word, then the shape, then the colour. */
export function AgentStateSign({ state, status = null, children }: Props) {
  const { Icon, tone, word } = looks[state]
  const said = state === 'unknown' && status !== null && status !== '' ? `unknown: ${status}` : word
  return (
    <span className={classes['state']} data-tone={tone} title={status ?? undefined}>
      <Icon size={14} stroke={1.75} aria-hidden />
      <span>{children ?? said}</span>
    </span>
  )
}
