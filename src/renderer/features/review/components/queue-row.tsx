import { IconSparkles } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { QueueRow } from '../../../../shared/contracts/desk-review.ts'
import { Status } from '../../../components/status.tsx'
import { formatAge, formatWhen } from '../../../lib/time.ts'
import { reviewPath } from '../queue-filter.ts'
import type { QueueFilter } from '../queue-filter.ts'
import classes from './queue-row.module.css'

interface Props {
  row: QueueRow
  filter: QueueFilter
  selected: boolean
  now: number
}

/** One release: what, by whom, and how long it has waited, or who decided when. */
export function QueueRowLink({ row, filter, selected, now }: Props) {
  const pending = row.status === 'pending'
  const when = row.decidedAt ?? row.createdAt
  return (
    <Link
      href={reviewPath(row.id, filter)}
      className={classes['row']}
      data-row={row.id}
      data-ring="inside"
      data-decided={!pending || undefined}
      aria-current={selected ? 'true' : undefined}
    >
      <span className={classes['line']}>
        <span className={classes['name']}>
          {row.name}
          {!pending && <span className={classes['version']}> {row.version}</span>}
        </span>
        <time dateTime={pending ? row.createdAt : when} title={pending ? row.createdAt : when}>
          {pending ? formatAge(now - Date.parse(row.createdAt)) : formatWhen(when, now)}
        </time>
      </span>
      <span className={classes['line']}>
        {pending ? (
          <>
            <span className={classes['by']}>
              <span className={classes['version']}>{row.version}</span> by {row.publisher}
            </span>
            {row.first && (
              <span className={classes['sign']}>
                <IconSparkles size={14} stroke={1.75} aria-hidden />
                first
              </span>
            )}
          </>
        ) : (
          <span className={classes['by']}>
            <Status kind={row.status} /> {row.decidedBy === null ? '' : `by ${row.decidedBy}`}
          </span>
        )}
      </span>
    </Link>
  )
}
