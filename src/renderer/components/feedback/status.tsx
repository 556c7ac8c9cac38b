import {
  IconAlertOctagonFilled,
  IconBan,
  IconCircleCheckFilled,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLoader2,
  IconPencil,
  IconPlayerPlayFilled,
  IconPlayerStop,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PostState } from '../../../shared/contracts/desk-posts.ts'
import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'
import classes from './status.module.css'

type Kind =
  | ReleaseStatus
  | PostState
  | 'running'
  | 'starting'
  | 'stopping'
  | 'stopped'
  | 'failed'
  | 'taken'
  | 'unknown'

// Every kind has an icon of its own, so that color is never the only difference.
const variants = {
  pending: { Icon: IconClock, tone: 'warn' },
  approved: { Icon: IconCircleCheckFilled, tone: 'ok' },
  rejected: { Icon: IconCircleX, tone: 'calm' },
  revoked: { Icon: IconBan, tone: 'bad' },
  draft: { Icon: IconPencil, tone: 'calm' },
  scheduled: { Icon: IconClock, tone: 'warn' },
  published: { Icon: IconCircleCheckFilled, tone: 'ok' },
  running: { Icon: IconPlayerPlayFilled, tone: 'ok' },
  starting: { Icon: IconLoader2, tone: 'calm' },
  stopping: { Icon: IconLoader2, tone: 'calm' },
  stopped: { Icon: IconPlayerStop, tone: 'calm' },
  failed: { Icon: IconAlertOctagonFilled, tone: 'bad' },
  taken: { Icon: IconPlugConnectedX, tone: 'bad' },
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
  const { Icon, tone } = variants[kind]
  return (
    <span className={classes['status']} data-tone={tone} data-chip={chip || undefined}>
      <Icon size={14} stroke={1.75} aria-hidden />
      <span>{children ?? kind}</span>
    </span>
  )
}
