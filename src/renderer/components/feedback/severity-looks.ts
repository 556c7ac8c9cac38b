import { IconAlertOctagonFilled, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'

/** The icon of a finding, by severity, and its color. */
export const severityLooks = {
  error: { Icon: IconAlertOctagonFilled, tone: 'bad' },
  warning: { Icon: IconAlertTriangle, tone: 'warn' },
  note: { Icon: IconInfoCircle, tone: 'calm' },
} as const
