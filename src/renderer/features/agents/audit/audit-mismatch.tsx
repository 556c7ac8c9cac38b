import { useState } from 'react'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { copyText } from '../../../lib/app/clipboard.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'
import { useMarkAlertSeen } from '../agents.api.ts'
import { TextButton } from '../components/signs.tsx'
import { hashedText } from './audit-words.ts'
import classes from './audit.module.css'

interface Props {
  row: AuditRow
  isSeen: boolean
  onSeen: () => void
}

/** Both digests, what may be behind it, and what can be done. */
export function AuditMismatch({ row, isSeen, onSeen }: Props) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div role="gridcell" className={classes['mismatch']}>
      <p>
        <span>Stored</span>
        <code>{row.hash ?? 'nothing'}</code>
      </p>
      <p>
        <span>Computed</span>
        <code>{row.computed ?? 'nothing: a column is missing or larger than 256 KiB'}</code>
        <span>
          from <code>{hashedText(row)}</code>
        </span>
      </p>
      {isAsking ? (
        <MarkAsSeen row={row} onSeen={onSeen} onDone={() => setAsking(false)} />
      ) : (
        <Explained row={row} isSeen={isSeen} onAsk={() => setAsking(true)} />
      )}
    </div>
  )
}

function Explained({ row, isSeen, onAsk }: { row: AuditRow; isSeen: boolean; onAsk: () => void }) {
  const now = useNow()
  const [copied, setCopied] = useState<string | null>(null)
  const firstSeen = row.mismatch?.firstSeenAt ?? null
  const seen = isSeen || row.mismatch?.seen === true
  const copy = async (): Promise<void> => {
    const text = `Row ${row.id}\nstored ${row.hash ?? 'nothing'}\ncomputed ${row.computed ?? 'nothing'}\n`
    setCopied((await copyText(text)) ? 'Copied' : 'The browser did not allow it')
  }
  return (
    <p>
      <span className={classes['why']}>
        {row.computed === null
          ? 'This row could not be checked.'
          : 'Either the row was edited after it was written, or its writer hashed another text.'}
        {firstSeen !== null && ` First seen ${utcWhen(firstSeen, now)} UTC.`}
      </span>
      <TextButton onClick={() => void copy()}>{copied ?? 'Copy both'}</TextButton>
      {seen ? (
        <span>Marked as seen</span>
      ) : (
        row.mismatch?.alertId != null && <TextButton onClick={onAsk}>Mark as seen…</TextButton>
      )}
    </p>
  )
}

/** Says what it does before it is done. */
function MarkAsSeen({ row, onSeen, onDone }: { row: AuditRow; onSeen: () => void; onDone: () => void }) {
  const mark = useMarkAlertSeen()
  const alertId = row.mismatch?.alertId ?? null
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
        onClick={() => {
          if (alertId === null) return
          mark.mutate(alertId, {
            onSuccess: () => {
              onSeen()
              onDone()
            },
          })
        }}
      >
        Mark as seen
      </TextButton>
      <TextButton onClick={onDone}>Leave it</TextButton>
    </p>
  )
}
