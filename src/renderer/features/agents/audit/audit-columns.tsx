import { VisuallyHidden } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { AuditGap, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { Extra } from '../../../components/list/tall-scroll.ts'
import { formatCount, shortDigest } from '../../../lib/format.ts'
import { Quiet } from '../components/signs.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { AuditMismatch } from './audit-mismatch.tsx'
import { auditTime, eventTone, gapWords } from './audit-words.ts'
import classes from './audit.module.css'

/** The columns of the audit; beside open details there is less room, and what they say as well is left out. */
export const auditColumns = (isBeside: boolean): readonly DataColumn<AuditRow>[] => [
  { label: 'Row', width: 72, numeric: true, cell: ({ id }) => <Quiet>{formatCount(id)}</Quiet> },
  {
    label: 'Time, UTC',
    width: 152,
    cell: ({ at }) => (
      <time dateTime={at ?? undefined} title={at ?? undefined}>
        {auditTime(at)}
      </time>
    ),
  },
  ...(isBeside ? [] : [lamport]),
  {
    label: 'Agent',
    width: isBeside ? 100 : 128,
    cell: ({ agent }) =>
      agent && (
        <span className={classes['agent']} title={agent}>
          {agent}
        </span>
      ),
  },
  {
    label: 'Event',
    width: isBeside ? 88 : 112,
    cell: ({ event }) =>
      event && (
        <span className={classes['event']} data-tone={eventTone(event)} title={event}>
          {event}
        </span>
      ),
  },
  {
    label: 'Detail',
    width: [100, 1],
    cell: ({ detail }) => (
      <Quiet>
        <span title={detail?.slice(0, 500)}>{detail}</span>
      </Quiet>
    ),
  },
  {
    label: 'Hash, recomputed',
    width: isBeside ? 116 : 184,
    numeric: true,
    cell: (row) => <Hash row={row} isBeside={isBeside} />,
  },
]

const lamport: DataColumn<AuditRow> = {
  label: 'Lamport',
  width: 64,
  numeric: true,
  cell: (row) => row.lamport && <Quiet>{formatCount(row.lamport)}</Quiet>,
}

function Hash({ row: { verified, hash }, isBeside }: { row: AuditRow; isBeside: boolean }) {
  const short = hash === null ? 'no hash' : hash.length > 12 ? shortDigest(hash) : hash
  return (
    <span className={classes['hash']} data-bad={verified ? undefined : ''}>
      {!verified && (
        <b>
          <IconAlertOctagonFilled size={14} aria-hidden /> does not match
        </b>
      )}
      {(verified || !isBeside) && <code>{short}</code>}
      {verified && (
        <>
          <IconCheck size={14} stroke={1.75} aria-hidden />
          <VisuallyHidden>matches</VisuallyHidden>
        </>
      )}
    </span>
  )
}

/** Under a row, in pixels. */
const mismatchHeight = 78
const gapHeight = 28

/** The rows with more under them, by place. */
export function extrasOf(rows: readonly (readonly [number, AuditRow])[]): Extra[] {
  return rows
    .map(([place, { verified, gap }]) => ({
      place,
      height: (verified ? 0 : mismatchHeight) + (gap === null ? 0 : gapHeight),
    }))
    .filter(({ height }) => height > 0)
    .toSorted((one, other) => one.place - other.place)
}

interface Props {
  row: AuditRow
  /** Whether a person has marked it as seen just now. */
  isSeen: boolean
  onSeen: () => void
}

/** What does not match in a row, and the rows that are missing behind it. */
export function UnderAuditRow({ row, isSeen, onSeen }: Props) {
  return (
    <>
      {!row.verified && <AuditMismatch row={row} isSeen={isSeen} onSeen={onSeen} />}
      {row.gap !== null && <Gap gap={row.gap} />}
    </>
  )
}

function Gap({ gap }: { gap: AuditGap }) {
  const { what, known } = gapWords(gap)
  return (
    <div role="gridcell" className={classes['gap']}>
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
      <p>
        <b>{what}</b> {known}
      </p>
    </div>
  )
}
