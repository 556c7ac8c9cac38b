import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AuditGap, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { CopyIcon, CopyText } from '../../../components/form/copy-button.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import type { Extra } from '../../../components/list/tall-scroll.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { shortDigest } from '../../../lib/format.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'
import { useAcknowledgeAlert } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { agentCell, Badge, countCell, eventCell, KnownFacts, Quiet } from '../components/values.tsx'
import { DetailPane } from '../components/view.tsx'
import { auditTime, gapText, hashedText } from './audit-labels.ts'
import { texts } from '../agents.texts.ts'
import classes from './audit.module.css'

const { names } = texts

/** The columns of the audit; fewer and narrower ones next to open details. */
export const auditColumns = (isNarrow: boolean): readonly DataColumn<AuditRow>[] => [
  { label: names.row, width: 72, numeric: true, quiet: true, cell: countCell('id') },
  {
    label: texts.utc(names.time),
    width: 152,
    cell: ({ at }) => (
      <time dateTime={at ?? undefined} title={at ?? undefined}>
        {auditTime(at)}
      </time>
    ),
  },
  ...(isNarrow ? [] : [lamport]),
  {
    label: names.agent,
    width: isNarrow ? 100 : 128,
    cell: ({ agent }) =>
      agent && (
        <b className={classes['agent']} title={agent}>
          {agent}
        </b>
      ),
  },
  { label: names.event, width: isNarrow ? 88 : 112, cell: eventCell },
  {
    label: names.detail,
    width: [100, 1],
    quiet: true,
    cell: ({ detail }) => <span title={detail?.slice(0, 500)}>{detail}</span>,
  },
  {
    label: names.hash,
    width: isNarrow ? 116 : 184,
    numeric: true,
    cell: (row) => hashBadge(row, isNarrow),
  },
]

const lamport = { label: names.lamport, width: 64, numeric: true, quiet: true, cell: countCell('lamport') }

function hashBadge({ verified, hash }: AuditRow, isNarrow: boolean) {
  const short = hash === null ? texts.audit.hash.none : hash.length > 12 ? shortDigest(hash) : hash
  return (
    <span className={classes['hash']}>
      {!verified && <Badge tone="bad" text={texts.audit.hash.mismatch} />}
      {(verified || !isNarrow) && <code data-ink="calm">{short}</code>}
      {verified && (
        <>
          <IconCheck size={14} stroke={1.75} data-ink="ok" aria-hidden />
          <VisuallyHidden>{texts.audit.hash.match}</VisuallyHidden>
        </>
      )}
    </span>
  )
}

/** One row with its full detail, its full hash, and the recomputed hash. */
export function AuditDetail({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const labels = texts.audit.detail
  const title = labels.title(row.id)
  const full = (hash: string, what: string): ReactNode => (
    <>
      <code>{hash}</code> <CopyIcon text={hash} what={what} />
    </>
  )
  return (
    <DetailPane title={title} label={title} onClose={onClose}>
      <KnownFacts
        facts={{
          [names.time]: row.at,
          [names.lamport]: countCell('lamport')(row),
          [names.agent]: agentCell('agent')(row),
          [names.event]: row.event,
          [names.detail]: row.detail === null ? texts.none : <PlainText text={row.detail} />,
          [labels.stored]: row.hash === null ? texts.none : full(row.hash, labels.theStored),
          [labels.computed]: row.verified
            ? labels.identical
            : row.computed === null
              ? labels.notComputed
              : full(row.computed, labels.theComputed),
        }}
      />
    </DetailPane>
  )
}

/** Heights below a row, in pixels. */
const mismatchHeight = 78
const gapHeight = 28

/** The rows with more below them, by place. */
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

/** The mismatch of a row, and the gap after it. */
export function UnderAuditRow({ row }: Props) {
  return (
    <>
      {!row.verified && <AuditMismatch row={row} />}
      {row.gap !== null && <Gap gap={row.gap} />}
    </>
  )
}

function Gap({ gap }: { gap: AuditGap }) {
  const { title, detail } = gapText(gap)
  return (
    <div role="gridcell" className={classes['gap']}>
      <IconAlertTriangle size={14} stroke={1.75} aria-hidden data-ink="warn" />
      <p>
        <b>{title}</b> {detail}
      </p>
    </div>
  )
}

/** Rows acknowledged in this window, even if an older response says otherwise. An alert may cover several rows. */
const acknowledgedRows = createStore<ReadonlySet<string>>(new Set())
const acknowledgedKey = ({ id, mismatch }: AuditRow): string => `${mismatch?.alertId ?? ''} ${id}`

/** Both hashes, what may have happened, and the actions. */
function AuditMismatch({ row }: Props) {
  const { hash, computed } = row
  const [isConfirming, setConfirming] = useState(false)
  return (
    <div role="gridcell" className={classes['mismatch']}>
      <p>
        <span className={classes['label']}>{texts.audit.mismatch.stored}</span>
        <code>{hash ?? texts.none}</code>
      </p>
      <p>
        <span className={classes['label']}>{texts.audit.mismatch.computed}</span>
        <code>{computed ?? texts.audit.detail.notComputed}</code>
        <span className={classes['why']} data-ink="calm">
          {texts.audit.mismatch.from} <code>{hashedText(row)}</code>
        </span>
      </p>
      {isConfirming ? (
        <ConfirmAcknowledge row={row} onDone={() => setConfirming(false)} />
      ) : (
        <Explanation row={row} onAcknowledge={() => setConfirming(true)} />
      )}
    </div>
  )
}

function Explanation({ row, onAcknowledge }: Props & { onAcknowledge: () => void }) {
  const { id, hash, computed, mismatch } = row
  const alertId = mismatch?.alertId ?? null
  const isAcknowledged = useStore(acknowledgedRows).has(acknowledgedKey(row)) || mismatch?.seen === true
  const labels = texts.audit.mismatch
  const text = labels.clipboard(id, hash ?? texts.none, computed ?? texts.none)
  const now = useNow()
  return (
    <p>
      <span className={classes['why']}>
        {computed === null ? labels.notChecked : labels.explanation}
        {mismatch?.firstSeenAt != null && labels.firstSeen(utcWhen(mismatch.firstSeenAt, now))}
      </span>
      <CopyText text={text} label={labels.copy} />
      {isAcknowledged ? (
        <Quiet>{labels.acknowledged}</Quiet>
      ) : (
        alertId !== null && <TextButton onClick={onAcknowledge}>{labels.acknowledge}</TextButton>
      )}
    </p>
  )
}

/** Asks for confirmation, because it removes the alert for everyone. */
function ConfirmAcknowledge({ row, onDone }: Props & { onDone: () => void }) {
  const acknowledge = useAcknowledgeAlert()
  const alertId = row.mismatch?.alertId ?? null
  const done = (): void => {
    acknowledgedRows.set(new Set([...acknowledgedRows.get(), acknowledgedKey(row)]))
    onDone()
  }
  return (
    <p>
      <span className={classes['why']} role="status">
        {acknowledge.error === null
          ? texts.audit.mismatch.consequence
          : asApiError(acknowledge.error).message}
      </span>
      <TextButton
        // It replaces the button that had the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        disabled={acknowledge.isPending || alertId === null}
        onClick={() => alertId !== null && acknowledge.mutate(alertId, { onSuccess: done })}
      >
        {texts.alerts.acknowledge}
      </TextButton>
      <TextButton onClick={onDone}>{texts.audit.searching.cancel}</TextButton>
    </p>
  )
}
