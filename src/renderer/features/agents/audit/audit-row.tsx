import { VisuallyHidden } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { AuditGap, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { formatCount, shortDigest } from '../../../lib/format.ts'
import { auditTime, eventTone, gapWords } from './audit-words.ts'
import classes from './audit-table.module.css'
import { AuditMismatch } from './audit-mismatch.tsx'

/** What stands under a row, in pixels. */
export const mismatchHeight = 78
export const gapHeight = 28

export function extraHeight({ verified, gap }: AuditRow): number {
  return (verified ? 0 : mismatchHeight) + (gap === null ? 0 : gapHeight)
}

interface Props {
  row: AuditRow | undefined
  /** Whether a person has marked it as seen just now. */
  isSeen: boolean
  onSeen: () => void
}

/** The cells of a row, what does not match under them, and the rows that are missing behind it. */
export function AuditCells({ row, isSeen, onSeen }: Props) {
  if (row === undefined) {
    return (
      <div role="gridcell" aria-colspan={7} className={classes['unread']}>
        Reading…
      </div>
    )
  }
  return (
    <>
      <div role="gridcell" data-column="row" data-quiet="">
        {formatCount(row.id)}
      </div>
      <div role="gridcell" data-column="time">
        <time dateTime={row.at ?? undefined} title={row.at ?? undefined}>
          {auditTime(row.at)}
        </time>
      </div>
      <div role="gridcell" data-column="lamport" data-quiet="">
        {row.lamport === null ? 'unknown' : formatCount(row.lamport)}
      </div>
      <div role="gridcell" data-column="agent" title={row.agent ?? undefined}>
        {row.agent ?? 'unknown'}
      </div>
      <div
        role="gridcell"
        data-column="event"
        data-tone={eventTone(row.event)}
        title={row.event ?? undefined}
      >
        {row.event ?? 'unknown'}
      </div>
      <div role="gridcell" data-column="detail" title={row.detail?.slice(0, 500)}>
        {row.detail}
      </div>
      <div role="gridcell" data-column="hash">
        <Hash row={row} />
      </div>
      {!row.verified && <AuditMismatch row={row} isSeen={isSeen} onSeen={onSeen} />}
      {row.gap !== null && <Gap gap={row.gap} />}
    </>
  )
}

function Hash({ row: { verified, hash } }: { row: AuditRow }) {
  const short = hash === null ? 'no hash' : hash.length > 12 ? shortDigest(hash) : hash
  if (!verified) {
    return (
      <>
        <b>
          <IconAlertOctagonFilled size={14} aria-hidden /> does not match
        </b>
        <code>{short}</code>
      </>
    )
  }
  return (
    <>
      <code>{short}</code>
      <IconCheck size={14} stroke={1.75} aria-hidden />
      <VisuallyHidden>matches</VisuallyHidden>
    </>
  )
}

function Gap({ gap }: { gap: AuditGap }) {
  const { what, known } = gapWords(gap)
  return (
    <div role="gridcell" aria-colspan={7} className={classes['gap']}>
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
      <p>
        <b>{what}</b> {known}
      </p>
    </div>
  )
}
