import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { CopyIcon, CopyText } from '../../../components/form/copy-button.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import type { Extra } from '../../../components/list/tall-scroll.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { When } from '../../../components/list/when.tsx'
import { shortDigest } from '../../../lib/format.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'
import { useAcknowledgeAlert } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { agentCell, countCell, eventCell, KnownFacts, Quiet } from '../components/values.tsx'
import { DetailPane } from '../components/view-parts.tsx'
import { auditTime, gapText } from './audit-labels.ts'
import { names, texts } from '../agents.texts.ts'
import classes from './audit.module.css'

/** The columns of the audit; fewer and narrower ones next to open details. */
export const auditColumns = (isNarrow: boolean): readonly DataColumn<AuditRow>[] => [
  { label: names.row, width: 72, numeric: true, quiet: true, cell: countCell('id') },
  {
    label: texts.utc(names.time),
    width: 152,
    cell: ({ at }) => (at === null ? auditTime(at) : <When at={at} format={auditTime} />),
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

/** The mismatch of a row, and the gap after it. */
export function UnderAuditRow({ row }: { row: AuditRow }) {
  const gap = row.gap && gapText(row.gap)
  return (
    <>
      {!row.verified && <AuditMismatch row={row} />}
      {gap !== null && (
        <div role="gridcell" className={classes['gap']}>
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden data-ink="warn" />
          <p>
            <b>{gap.title}</b> {gap.detail}
          </p>
        </div>
      )}
    </>
  )
}

/** Rows acknowledged in this window, even if an older response says otherwise. An alert may cover several rows. */
const acknowledgedRows = createStore<ReadonlySet<string>>(new Set())

/** Both hashes, what may have happened, and the actions. */
function AuditMismatch({ row }: { row: AuditRow }) {
  const { id, agent, event, hash, computed, mismatch } = row
  /** The alert to acknowledge, once that must be confirmed. */
  const [confirmed, setConfirmed] = useState<number | null>(null)
  const now = useNow()
  const alertId = mismatch?.alertId ?? null
  const acknowledged = useStore(acknowledgedRows)
  const labels = texts.audit.mismatch
  const done = (): void => {
    acknowledgedRows.set(new Set([...acknowledgedRows.get(), `${confirmed} ${id}`]))
    setConfirmed(null)
  }
  return (
    <div role="gridcell" className={classes['mismatch']}>
      <p>
        <span className={classes['label']}>{labels.stored}</span>
        <code>{hash ?? texts.none}</code>
      </p>
      <p>
        <span className={classes['label']}>{labels.computed}</span>
        <code>{computed ?? texts.audit.detail.notComputed}</code>
        <span className={classes['why']} data-ink="calm">
          {labels.from} <code>{`${row.lamport ?? ''}:${agent ?? ''}:${event ?? ''}:…`}</code>
        </span>
      </p>
      {confirmed !== null ? (
        <ConfirmAcknowledge alertId={confirmed} onDone={done} onCancel={() => setConfirmed(null)} />
      ) : (
        <p>
          <span className={classes['why']}>
            {computed === null ? labels.notChecked : labels.explanation}
            {mismatch?.firstSeenAt != null && labels.firstSeen(utcWhen(mismatch.firstSeenAt, now))}
          </span>
          <CopyText
            text={labels.clipboard(id, hash ?? texts.none, computed ?? texts.none)}
            label={labels.copy}
          />
          {acknowledged.has(`${alertId} ${id}`) || mismatch?.seen === true ? (
            <Quiet>{labels.acknowledged}</Quiet>
          ) : (
            alertId !== null && (
              <TextButton onClick={() => setConfirmed(alertId)}>{labels.acknowledge}</TextButton>
            )
          )}
        </p>
      )}
    </div>
  )
}

interface ConfirmProps {
  alertId: number
  onDone: () => void
  onCancel: () => void
}

/** Asks for confirmation, because it removes the alert for everyone. */
function ConfirmAcknowledge({ alertId, onDone, onCancel }: ConfirmProps) {
  const { mutate, error, isPending } = useAcknowledgeAlert()
  return (
    <p>
      <span className={classes['why']} role="status">
        {error === null ? texts.audit.mismatch.consequence : asApiError(error).message}
      </span>
      <TextButton
        // It replaces the button that had the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        disabled={isPending}
        onClick={() => mutate(alertId, { onSuccess: onDone })}
      >
        {texts.alerts.acknowledge}
      </TextButton>
      <TextButton onClick={onCancel}>{texts.audit.searching.cancel}</TextButton>
    </p>
  )
}
