import type { KeyboardEvent } from 'react'
import { Link } from 'wouter'
import type { AuditEntry } from '../../../../shared/contracts/desk-audit-log.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatStamp } from '../../../lib/time/time.ts'
import { changesLabel, evidenceLabel, originLabel } from '../kinds.ts'
import { EventKind } from './event-kind.tsx'
import { texts } from '../audit-log.texts.ts'
import classes from './audit-log-table.module.css'

interface Props {
  entry: AuditEntry | undefined
  place: number
  top: number
  now: number
  selected: boolean
  onSelect: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** One event on one line. Text that does not fit is shown below the table while the row is selected. */
export function AuditLogRow({ entry, place, top, now, selected, onSelect, onKeyDown }: Props) {
  return (
    <div
      role="row"
      className={classes['row']}
      data-place={place}
      data-ring="inside"
      aria-rowindex={place + 2}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={onSelect}
      onClick={onSelect}
      onKeyDown={onKeyDown}
    >
      {entry === undefined ? (
        <span role="gridcell" className={classes['unread']}>
          {texts.table.loading}
        </span>
      ) : (
        <>
          <span role="gridcell">
            <time dateTime={entry.at} title={entry.at}>
              {formatStamp(entry.at, now)}
            </time>
          </span>
          <span role="gridcell">{entry.person ?? '–'}</span>
          <span role="gridcell">
            <EventKind kind={entry.kind} />
          </span>
          <span role="gridcell" data-mono>
            {entry.releaseId === null ? (
              entry.name
            ) : (
              <Link href={`/review/${entry.releaseId}?view=all`} tabIndex={-1}>
                {entry.name} {entry.version}
              </Link>
            )}
          </span>
          <span role="gridcell">
            {entry.check !== null && <code className={classes['check']}>{entry.check} </code>}
            {entry.why === null ? changesLabel(entry) : <PlainText text={entry.why} />}
          </span>
          <span role="gridcell">{originLabel(entry)}</span>
          <span role="gridcell">
            {[evidenceLabel(entry), entry.selfApproved && texts.selfApproved].filter(Boolean).join(', ')}
          </span>
        </>
      )}
    </div>
  )
}
