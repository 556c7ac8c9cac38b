import {
  IconAlertOctagonFilled,
  IconBan,
  IconCircleCheckFilled,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLoader2,
  IconPlayerPlayFilled,
  IconPlayerStop,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ReleaseStatus } from '../../shared/contracts/releases.ts'
import classes from './status.module.css'

type Kind = ReleaseStatus | 'running' | 'starting' | 'stopping' | 'stopped' | 'failed' | 'unknown'

// First the word, then the shape, then the colour.
const looks = {
  pending: { Icon: IconClock, tone: 'warn' },
  approved: { Icon: IconCircleCheckFilled, tone: 'ok' },
  rejected: { Icon: IconCircleX, tone: 'calm' },
  revoked: { Icon: IconBan, tone: 'bad' },
  running: { Icon: IconPlayerPlayFilled, tone: 'ok' },
  starting: { Icon: IconLoader2, tone: 'calm' },
  stopping: { Icon: IconLoader2, tone: 'calm' },
  stopped: { Icon: IconPlayerStop, tone: 'calm' },
  failed: { Icon: IconAlertOctagonFilled, tone: 'bad' },
  unknown: { Icon: IconHelpCircle, tone: 'calm' },
} as const

export function Status({
  kind,
  chip = false,
  children,
}: {
  kind: Kind
  chip?: boolean
  children?: ReactNode
}) {
  const { Icon, tone } = looks[kind]
  return (
    <span className={classes['status']} data-tone={tone} data-chip={chip || undefined}>
      <Icon size={14} stroke={1.75} aria-hidden />
      <span>{children ?? kind}</span>
    </span>
  )
}
