import { VisuallyHidden } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AuditGap, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import type { Extra } from '../../../components/list/tall-scroll.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { copyText } from '../../../lib/app/clipboard.ts'
import { formatCount, shortDigest } from '../../../lib/format.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'
import { useMarkAlertSeen } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { AgentLink, countCell, Quiet } from '../components/signs.tsx'
import { DetailPane } from '../components/view.tsx'
import { auditTime, eventTone, gapText, hashedText } from './audit-labels.ts'
import classes from './audit.module.css'

/** The columns of the audit; beside open details there is less room, and what they say as well is left out. */
export const auditColumns = (isBeside: boolean): readonly DataColumn<AuditRow>[] => [
  { label: 'Row', width: 72, numeric: true, quiet: true, cell: countCell('id') },
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
        <b className={classes['agent']} title={agent}>
          {agent}
        </b>
      ),
  },
  {
    label: 'Event',
    width: isBeside ? 88 : 112,
    cell: ({ event }) =>
      event && (
        <span data-ink={eventTone(event)} title={event}>
          {event}
        </span>
      ),
  },
  {
    label: 'Detail',
    width: [100, 1],
    quiet: true,
    cell: ({ detail }) => <span title={detail?.slice(0, 500)}>{detail}</span>,
  },
  {
    label: 'Hash, recomputed',
    width: isBeside ? 116 : 184,
    numeric: true,
    cell: (row) => hashSign(row, isBeside),
  },
]

const lamport = { label: 'Lamport', width: 64, numeric: true, quiet: true, cell: countCell('lamport') }

function hashSign({ verified, hash }: AuditRow, isBeside: boolean) {
  const short = hash === null ? 'no hash' : hash.length > 12 ? shortDigest(hash) : hash
  return (
    <span className={classes['hash']}>
      {!verified && (
        <b data-ink="bad">
          <IconAlertOctagonFilled size={14} aria-hidden /> does not match
        </b>
      )}
      {(verified || !isBeside) && <code data-ink="calm">{short}</code>}
      {verified && (
        <>
          <IconCheck size={14} stroke={1.75} data-ink="ok" aria-hidden />
          <VisuallyHidden>matches</VisuallyHidden>
        </>
      )}
    </span>
  )
}

/** All of one row: the whole detail, the whole hash, and what it was compared with. */
export function AuditDetail({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const title = `Row ${formatCount(row.id)}`
  const whole = (hash: string, what: string): ReactNode => (
    <>
      <code>{hash}</code> <CopyIcon text={hash} what={what} />
    </>
  )
  const facts: Record<string, ReactNode> = {
    Time: row.at ?? 'unknown',
    Lamport: row.lamport === null ? 'unknown' : formatCount(row.lamport),
    Agent: row.agent === null ? 'unknown' : <AgentLink name={row.agent} />,
    Event: row.event ?? 'unknown',
    Detail: row.detail === null ? 'none' : <PlainText text={row.detail} />,
    'Stored hash': row.hash === null ? 'none' : whole(row.hash, 'the stored hash'),
    Computed: row.verified
      ? 'the same, when it was read'
      : row.computed === null
        ? 'not computed: a column is missing or larger than 256 KiB'
        : whole(row.computed, 'the computed hash'),
  }
  return (
    <DetailPane title={title} label={title} onClose={onClose}>
      <dl>
        {Object.entries(facts).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </DetailPane>
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
}

/** What does not match in a row, and the rows that are missing behind it. */
export function UnderAuditRow({ row }: Props) {
  return (
    <>
      {!row.verified && <AuditMismatch row={row} />}
      {row.gap !== null && <Gap gap={row.gap} />}
    </>
  )
}

function Gap({ gap }: { gap: AuditGap }) {
  const { what, known } = gapText(gap)
  return (
    <div role="gridcell" className={classes['gap']}>
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden data-ink="warn" />
      <p>
        <b>{what}</b> {known}
      </p>
    </div>
  )
}

/** Rows that were marked here, whatever an answer from before says of them. An alert may stand for several. */
const seenRows = createStore<ReadonlySet<string>>(new Set())
const seenKey = ({ id, mismatch }: AuditRow): string => `${mismatch?.alertId ?? ''} ${id}`

/** Both digests, what may be behind it, and what can be done. */
function AuditMismatch({ row }: Props) {
  const { hash, computed } = row
  const [isAsking, setAsking] = useState(false)
  return (
    <div role="gridcell" className={classes['mismatch']}>
      <p>
        <span className={classes['label']}>Stored</span>
        <code>{hash ?? 'nothing'}</code>
      </p>
      <p>
        <span className={classes['label']}>Computed</span>
        <code>{computed ?? 'nothing: a column is missing or larger than 256 KiB'}</code>
        <span className={classes['why']} data-ink="calm">
          from <code>{hashedText(row)}</code>
        </span>
      </p>
      {isAsking ? (
        <MarkAsSeen row={row} onDone={() => setAsking(false)} />
      ) : (
        <Explained row={row} onAsk={() => setAsking(true)} />
      )}
    </div>
  )
}

function Explained({ row, onAsk }: Props & { onAsk: () => void }) {
  const { id, hash, computed, mismatch } = row
  const alertId = mismatch?.alertId ?? null
  const isSeen = useStore(seenRows).has(seenKey(row)) || mismatch?.seen === true
  const now = useNow()
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (): Promise<void> => {
    const text = `Row ${id}\nstored ${hash ?? 'nothing'}\ncomputed ${computed ?? 'nothing'}\n`
    setCopied((await copyText(text)) ? 'Copied' : 'The browser did not allow it')
  }
  return (
    <p>
      <span className={classes['why']}>
        {computed === null
          ? 'This row could not be checked.'
          : 'Either the row was edited after it was written, or its writer hashed another text.'}
        {mismatch?.firstSeenAt != null && ` First seen ${utcWhen(mismatch.firstSeenAt, now)} UTC.`}
      </span>
      <TextButton onClick={() => void copy()}>{copied ?? 'Copy both'}</TextButton>
      {isSeen ? (
        <Quiet>Marked as seen</Quiet>
      ) : (
        alertId !== null && <TextButton onClick={onAsk}>Mark as seen…</TextButton>
      )}
    </p>
  )
}

/** Says what it does before it is done. */
function MarkAsSeen({ row, onDone }: Props & { onDone: () => void }) {
  const mark = useMarkAlertSeen()
  const alertId = row.mismatch?.alertId ?? null
  const done = (): void => {
    seenRows.set(new Set([...seenRows.get(), seenKey(row)]))
    onDone()
  }
  return (
    <p>
      <span className={classes['why']} role="status">
        {mark.error === null
          ? 'It leaves the list of what needs a person, for everybody. The row stays marked here.'
          : asApiError(mark.error).message}
      </span>
      <TextButton
        // It comes in the place of the button that was pressed.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        disabled={mark.isPending || alertId === null}
        onClick={() => alertId !== null && mark.mutate(alertId, { onSuccess: done })}
      >
        Mark as seen
      </TextButton>
      <TextButton onClick={onDone}>Leave it</TextButton>
    </p>
  )
}
