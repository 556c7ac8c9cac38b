import { Tooltip } from '@mantine/core'
import { formatCount } from '../lib/format.ts'
import classes from './count-badge.module.css'

/** The number of items that need attention, with what is counted as a tooltip. */
export function CountBadge({ count, label, bad = false }: { count: number; label: string; bad?: boolean }) {
  return (
    <Tooltip label={label}>
      <span className={classes['count']} aria-label={label} role="img" data-bad={bad || undefined}>
        {formatCount(count)}
      </span>
    </Tooltip>
  )
}
