import { IconAlertOctagonFilled } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { Section } from '../../../components/section.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Utc } from '../components/utc.tsx'
import { EventName, EventTable } from '../table/event-table.tsx'
import type { EventColumn } from '../table/event-table.tsx'
import { pathWith } from '../view-address.ts'

const columns: readonly EventColumn<AuditRow>[] = [
  { label: 'When, UTC', width: '84px', cell: ({ at }) => <Utc at={at} /> },
  { label: 'Event', width: '24%', cell: ({ event }) => <EventName event={event} /> },
  { label: 'Detail', cell: ({ detail }) => <span title={detail ?? undefined}>{detail}</span> },
  {
    label: 'Row',
    width: '96px',
    numeric: true,
    cell: ({ id, verified }) => (
      <Link href={pathWith('/agents/audit', { around: id })} data-bad={verified ? undefined : true}>
        {!verified && <IconAlertOctagonFilled size={14} aria-label="does not match its hash" role="img" />}{' '}
        {formatCount(id)}
      </Link>
    ),
  },
]

interface Props {
  agent: string
  rows: readonly AuditRow[]
  total: number | null
}

/** What it has done, newest first. */
export function AgentTimeline({ agent, rows, total }: Props) {
  const all = pathWith('/agents/audit', { agent })
  const words =
    total === null
      ? 'all in the audit'
      : rows.length < total
        ? `${formatCount(rows.length)} of ${formatCount(total)}, all in the audit`
        : 'in the audit'
  return (
    <Section title="Timeline" note={rows.length === 0 ? undefined : <Link href={all}>{words}</Link>}>
      {rows.length === 0 ? <p>The audit has no row of it.</p> : <EventTable rows={rows} columns={columns} />}
    </Section>
  )
}
