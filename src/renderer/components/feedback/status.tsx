import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconArchive,
  IconBan,
  IconCheck,
  IconCircleCheckFilled,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLoader2,
  IconPencil,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStop,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './status.module.css'

const icons = { bad: IconAlertOctagonFilled, warn: IconAlertTriangle, ok: IconCheck, calm: IconHelpCircle }

interface BadgeProps {
  tone?: keyof typeof icons
  text: ReactNode
  /** By default the icon of the tone. */
  icon?: Icon
  title?: string | null | undefined
  /** The icon's meaning, if the text does not include it. */
  label?: string
  chip?: boolean
}

/** A text with an icon and a color. Color alone never carries the meaning. */
export function Badge(badge: BadgeProps) {
  const { tone, text, icon: BadgeIcon = icons[tone ?? 'calm'], title, label, chip = false } = badge
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span
      className={classes['badge']}
      data-ink={tone}
      data-chip={chip || undefined}
      title={title ?? undefined}
    >
      <BadgeIcon size={14} stroke={1.75} {...named} />
      <span>{text}</span>
    </span>
  )
}

// Kinds that appear in the same list have different icons, so that color is never the only difference.
export const statuses = {
  pending: { icon: IconClock, tone: 'warn' },
  approved: { icon: IconCircleCheckFilled, tone: 'ok' },
  rejected: { icon: IconCircleX, tone: 'calm' },
  revoked: { icon: IconBan, tone: 'bad' },
  deprecated: { icon: IconArchive, tone: 'warn' },
  draft: { icon: IconPencil, tone: 'calm' },
  scheduled: { icon: IconClock, tone: 'warn' },
  published: { icon: IconCircleCheckFilled, tone: 'ok' },
  crashed: { icon: IconAlertOctagonFilled, tone: 'bad' },
  paused: { icon: IconPlayerPauseFilled, tone: 'warn' },
  running: { icon: IconPlayerPlayFilled, tone: 'ok' },
  starting: { icon: IconLoader2, tone: 'calm' },
  stopping: { icon: IconLoader2, tone: 'calm' },
  stopped: { icon: IconPlayerStop, tone: 'calm' },
  failed: { icon: IconAlertOctagonFilled, tone: 'bad' },
  taken: { icon: IconPlugConnectedX, tone: 'bad' },
  unknown: { icon: IconHelpCircle, tone: 'calm' },
} as const

interface StatusProps extends Pick<BadgeProps, 'chip' | 'title'> {
  kind: keyof typeof statuses
  /** By default the kind. */
  children?: ReactNode
}

export function Status({ kind, children, ...badge }: StatusProps) {
  return <Badge {...statuses[kind]} text={children ?? kind} {...badge} />
}
