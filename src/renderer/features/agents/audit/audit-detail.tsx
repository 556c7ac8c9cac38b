import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount } from '../../../lib/format.ts'
import { DetailPane } from '../components/detail-pane.tsx'
import { inDesk } from '../view-address.ts'

/** All of one row: the whole detail, the whole hash, and what it was compared with. */
export function AuditDetail({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const title = `Row ${formatCount(row.id)}`
  return (
    <DetailPane title={title} label={title} onClose={onClose}>
      <dl>
        <dt>Time</dt>
        <dd>{row.at ?? 'unknown'}</dd>
        <dt>Lamport</dt>
        <dd>{row.lamport === null ? 'unknown' : formatCount(row.lamport)}</dd>
        <dt>Agent</dt>
        <dd>
          {row.agent === null ? (
            'unknown'
          ) : (
            <Link href={inDesk(agentPlaces.agent(row.agent))}>{row.agent}</Link>
          )}
        </dd>
        <dt>Event</dt>
        <dd>{row.event ?? 'unknown'}</dd>
        <dt>Detail</dt>
        <dd>{row.detail === null ? 'none' : <PlainText text={row.detail} />}</dd>
        <dt>Stored hash</dt>
        <dd>
          {row.hash === null ? (
            'none'
          ) : (
            <>
              <code>{row.hash}</code> <CopyIcon text={row.hash} what="the stored hash" />
            </>
          )}
        </dd>
        <dt>Computed</dt>
        <dd>
          {row.verified ? (
            'the same, when it was read'
          ) : row.computed === null ? (
            'not computed: a column is missing or larger than 256 KiB'
          ) : (
            <>
              <code>{row.computed}</code> <CopyIcon text={row.computed} what="the computed hash" />
            </>
          )}
        </dd>
      </dl>
    </DetailPane>
  )
}
