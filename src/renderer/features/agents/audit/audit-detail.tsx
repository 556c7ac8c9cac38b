import type { ReactNode } from 'react'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount } from '../../../lib/format.ts'
import { DetailPane } from '../components/detail-pane.tsx'
import { AgentLink } from '../components/signs.tsx'

/** All of one row: the whole detail, the whole hash, and what it was compared with. */
export function AuditDetail({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const title = `Row ${formatCount(row.id)}`
  const facts: Record<string, ReactNode> = {
    Time: row.at ?? 'unknown',
    Lamport: row.lamport === null ? 'unknown' : formatCount(row.lamport),
    Agent: row.agent === null ? 'unknown' : <AgentLink name={row.agent} />,
    Event: row.event ?? 'unknown',
    Detail: row.detail === null ? 'none' : <PlainText text={row.detail} />,
    'Stored hash': row.hash === null ? 'none' : <Hash hash={row.hash} what="the stored hash" />,
    Computed: row.verified ? (
      'the same, when it was read'
    ) : row.computed === null ? (
      'not computed: a column is missing or larger than 256 KiB'
    ) : (
      <Hash hash={row.computed} what="the computed hash" />
    ),
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

function Hash({ hash, what }: { hash: string; what: string }) {
  return (
    <>
      <code>{hash}</code> <CopyIcon text={hash} what={what} />
    </>
  )
}
