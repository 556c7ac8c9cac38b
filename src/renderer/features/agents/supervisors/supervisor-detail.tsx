import { Link } from 'wouter'
import type { z } from 'zod'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import type { deskAgentRoutes, Supervisor } from '../../../../shared/contracts/desk-agents.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { inDesk } from '../../../lib/app/address.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { restartsQuery } from '../agents.api.ts'
import { Utc } from '../components/signs.tsx'
import { DetailPane, ReadState } from '../components/view.tsx'
import { EventTable } from '../table/table-section.tsx'
import { limitSentence, limitLabel, strategySentence } from './supervisor-tree.ts'

type Exit = z.output<typeof deskAgentRoutes.getSupervisorRestarts.reply.schema>['exits'][number]

const exitColumns: readonly DataColumn<Exit>[] = [
  {
    label: 'When, UTC',
    width: 76,
    cell: ({ id, at }) => (
      <Link href={inDesk(agentPaths.auditRow(id))}>
        <Utc at={at} />
      </Link>
    ),
  },
  { label: 'Agent', width: [80, 1], cell: 'agent' },
  {
    label: 'Exit',
    width: 56,
    numeric: true,
    cell: ({ event, detail }) => <span title={detail ?? undefined}>{exitLabel(event, detail)}</span>,
  },
]

/** One supervisor: what it does when an agent falls, and how often that was of late. */
export function SupervisorDetail({ supervisor, onClose }: { supervisor: Supervisor; onClose: () => void }) {
  const { id, name, strategy } = supervisor
  const read = useAgentRead(restartsQuery(id))
  const { data } = read
  return (
    <DetailPane title={name} label={`Supervisor ${name}`} onClose={onClose}>
      <p>{strategySentence(strategy)}</p>
      <ReadState what="the restarts" read={read} rows={6} />
      <h3>Restarts, last 30 minutes</h3>
      {data?.minutes === null && <p>unknown: the audit tells of no restart at all.</p>}
      {data !== undefined && data.minutes !== null && (
        <RestartChart supervisor={supervisor} minutes={data.minutes} />
      )}
      <h3>Last exits</h3>
      {data?.exits.length === 0 && <p>The audit tells of none.</p>}
      {data !== undefined && data.exits.length > 0 && (
        <EventTable label="Last exits" rows={data.exits} columns={exitColumns} keyed={false} />
      )}
      {data !== undefined && data.exitsTotal !== null && data.exitsTotal > data.exits.length && (
        <p>
          The newest {formatCount(data.exits.length)} of {plural(data.exitsTotal, 'exit')}.
        </p>
      )}
      <h3>Limits</h3>
      <p>{limitSentence(supervisor)}</p>
      <p>
        <Link href={agentFilter.path({ supervisor: name })}>
          Its {plural(supervisor.children.length, 'agent')}
        </Link>
      </p>
    </DetailPane>
  )
}

interface ChartProps {
  supervisor: Supervisor
  minutes: readonly { from: string; restarts: number }[]
}

function RestartChart({ supervisor, minutes }: ChartProps) {
  const { maxRestarts, windowSeconds } = supervisor
  // So many in one minute are too many only where the window is no shorter.
  const isLimit = maxRestarts !== null && windowSeconds !== null && windowSeconds >= 60
  return (
    <Chart
      title={`Restarts by minute of ${supervisor.name}, last 30 minutes (UTC)`}
      untitled
      height={110}
      kind="bars"
      series={[{ name: 'restarts' }]}
      points={minutes.map(({ from, restarts }) => ({
        title: `${from.slice(11, 16)} UTC`,
        tick: from.slice(11, 16),
        values: [restarts],
      }))}
      format={formatCount}
      formatTick={formatCount}
      whole
      {...(isLimit ? { limit: { value: maxRestarts, label: `limit ${limitLabel(supervisor)}` } } : {})}
    />
  )
}

/** The number of an exit where the detail has one, else what the audit says. */
function exitLabel(event: string | null, detail: string | null): string {
  return /\bexit(?:ed)?(?: code)?[ :=]+(\d+)/i.exec(detail ?? '')?.[1] ?? detail ?? event ?? 'unknown'
}
