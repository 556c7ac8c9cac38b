import { Link } from 'wouter'
import type { z } from 'zod'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import type { Supervisor } from '../../../../shared/contracts/desk-agents.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { inDesk } from '../../../lib/app/page-address.ts'
import { formatCount } from '../../../lib/format.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { Utc } from '../components/values.tsx'
import { DetailPane, ReadState } from '../components/view-parts.tsx'
import { EventTable } from '../table/table-section.tsx'
import { names, texts } from '../agents.texts.ts'

type Exit = z.output<typeof deskAgentRoutes.getSupervisorRestarts.reply.schema>['exits'][number]

const exitColumns: readonly DataColumn<Exit>[] = [
  {
    label: texts.utc(names.when),
    width: 76,
    cell: ({ id, at }) => (
      <Link href={inDesk(agentPaths.auditRow(id))}>
        <Utc at={at} />
      </Link>
    ),
  },
  { label: names.agent, width: [80, 1], cell: 'agent' },
  {
    label: names.exit,
    width: 56,
    numeric: true,
    cell: ({ event, detail }) => <span title={detail ?? undefined}>{exitLabel(event, detail)}</span>,
  },
]

/** One supervisor: its restart strategy, its recent restarts and its limits. */
export function SupervisorDetail({ supervisor, onClose }: { supervisor: Supervisor; onClose: () => void }) {
  const { id, name, strategy, maxRestarts, windowSeconds } = supervisor
  const { detail: labels, restarts } = texts.supervisors
  const read = useAgentRead(agentRead(deskAgentRoutes.getSupervisorRestarts, { id }))
  const { data } = read
  return (
    <DetailPane title={name} label={labels.label(name)} onClose={onClose}>
      <p>{texts.supervisors.strategy(strategy)}</p>
      <ReadState what={labels.what} read={read} rows={6} />
      <h3>{labels.restarts}</h3>
      {data?.minutes === null && <p>{labels.restartsUnknown}</p>}
      {data !== undefined && data.minutes !== null && (
        <RestartChart supervisor={supervisor} minutes={data.minutes} />
      )}
      <h3>{labels.exits}</h3>
      {data?.exits.length === 0 && <p>{labels.noExits}</p>}
      {data !== undefined && data.exits.length > 0 && (
        <EventTable label={labels.exits} rows={data.exits} columns={exitColumns} keyed={false} />
      )}
      {data !== undefined && data.exitsTotal !== null && data.exitsTotal > data.exits.length && (
        <p>{labels.exitsShown(data.exits.length, data.exitsTotal)}</p>
      )}
      <h3>{labels.limits}</h3>
      <p>
        {maxRestarts === null && windowSeconds === null
          ? restarts.limitUnknown
          : restarts.limitSentence(restarts.limit(maxRestarts, windowSeconds))}
      </p>
      <p>
        <Link href={agentFilter.path({ supervisor: name })}>
          {labels.showAgents(supervisor.children.length)}
        </Link>
      </p>
    </DetailPane>
  )
}

interface ChartProps {
  supervisor: Supervisor
  minutes: readonly { from: string; restarts: number }[]
}

function RestartChart({ supervisor: { name, maxRestarts, windowSeconds }, minutes }: ChartProps) {
  const {
    detail: labels,
    restarts: { limit },
  } = texts.supervisors
  // The bars count by minute, so the limit only applies if its window is at least that long.
  const isLimit = maxRestarts !== null && windowSeconds !== null && windowSeconds >= 60
  return (
    <Chart
      title={labels.chart(name)}
      untitled
      height={110}
      kind="bars"
      series={[{ name: labels.series }]}
      points={minutes.map(({ from, restarts }) => ({
        title: labels.minute(from.slice(11, 16)),
        tick: from.slice(11, 16),
        values: [restarts],
      }))}
      format={formatCount}
      formatTick={formatCount}
      whole
      {...(isLimit && {
        limit: { value: maxRestarts, label: labels.limitLine(limit(maxRestarts, windowSeconds)) },
      })}
    />
  )
}

/** The exit code if the detail has one, otherwise the detail or the event. */
function exitLabel(event: string | null, detail: string | null): string {
  return /\bexit(?:ed)?(?: code)?[ :=]+(\d+)/i.exec(detail ?? '')?.[1] ?? detail ?? event ?? texts.unknown
}
