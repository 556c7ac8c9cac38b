import { IconAlertOctagonFilled, IconRobotOff } from '@tabler/icons-react'
import { Link, useSearch } from 'wouter'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { Section } from '../../../components/section.tsx'
import { pathWith } from '../../../lib/app/address.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { formatCount, listWords, plural } from '../../../lib/format.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentQuery } from '../agents.api.ts'
import { AgentStateSign, EventName, utcCell } from '../components/signs.tsx'
import { Figures, ReadPage } from '../components/view.tsx'
import type { Figure } from '../cost/cost-figures.ts'
import { formatCents, unpricedNote } from '../cost/money.ts'
import { SpendChartFigure } from '../cost/spend-chart.tsx'
import { AlertList } from '../overview/alert-list.tsx'
import { EventTable } from '../table/table-section.tsx'
import { AgentFacts } from './agent-facts.tsx'
import type { Agent } from './agent-facts.tsx'
import classes from './agent-page.module.css'

/** All that is known of one agent. */
export function AgentPage() {
  const name = new URLSearchParams(useSearch()).get('name') ?? ''
  useTitle(name, 'Agents')
  const read = useAgentRead(agentQuery(name))
  const { data } = read
  const agent = data?.agent
  return (
    <ReadPage
      title={name}
      label={`Agent ${name}`}
      what="the agent"
      read={read}
      tools={
        <>
          {agent != null && <AgentStateSign state={agent.state} status={agent.status} />}
          <Link href="/agents/list" className={classes['all']}>
            All agents
          </Link>
        </>
      }
    >
      {agent === null && (
        <EmptyState icon={IconRobotOff} title={`There is no agent ${name} in this project`}>
          <p>
            {data !== undefined && data.namedIn.length > 0
              ? `These tables still name it: ${listWords(data.namedIn)}.`
              : 'No table names it.'}
          </p>
          <p>
            <Link href="/agents/list">All agents</Link>
          </p>
        </EmptyState>
      )}
      {agent != null && (
        <>
          {agent.alerts.length > 0 && (
            <AlertList alerts={agent.alerts} total={agent.alerts.length} agent={name} />
          )}
          <div className={classes['columns']}>
            <div>
              <AgentFacts agent={agent} />
            </div>
            <div>
              <AgentSpend agent={agent} />
              <AgentTimeline agent={agent} />
            </div>
          </div>
        </>
      )}
    </ReadPage>
  )
}

/** What it has cost today, this month, and in the last thirty days by model. */
function AgentSpend({ agent: { spentToday, spentMonth, expectedToday, chart } }: { agent: Agent }) {
  const end = expectedToday && `about ${formatCents(expectedToday.cents)} by midnight UTC`
  return (
    <section aria-label="Spend" className={classes['spend']}>
      <Figures
        figures={[amountFigure('Today', spentToday, end), amountFigure('This month', spentMonth, null)]}
      />
      {chart === null ? (
        <p>Its calls are being counted, or the database keeps none.</p>
      ) : (
        <SpendChartFigure chart={chart} title="Spend by day, last 30 days (UTC)" height={180} />
      )}
    </section>
  )
}

function amountFigure(label: string, spend: Spend | null, end: string | null): Figure {
  if (spend === null) return { label, value: 'counting', note: end }
  const lines = [plural(spend.calls, 'call'), unpricedNote(spend), end]
  return { label, value: formatCents(spend.cents), note: lines.filter((line) => line !== null) }
}

const columns: readonly DataColumn<AuditRow>[] = [
  { label: 'When, UTC', width: 84, cell: utcCell('at') },
  { label: 'Event', width: [88, 1], cell: ({ event }) => <EventName event={event} /> },
  { label: 'Detail', width: [120, 2], cell: ({ detail }) => detail ?? '' },
  {
    label: 'Row',
    width: 96,
    numeric: true,
    cell: ({ id, verified }) => (
      <Link href={pathWith('/agents/audit', { around: id })} data-ink={verified ? undefined : 'bad'}>
        {!verified && <IconAlertOctagonFilled size={14} aria-label="does not match its hash" role="img" />}{' '}
        {formatCount(id)}
      </Link>
    ),
  },
]

/** What it has done, newest first. */
function AgentTimeline({ agent: { name, timeline: rows, timelineTotal: total } }: { agent: Agent }) {
  const part =
    total !== null && rows.length < total ? `${formatCount(rows.length)} of ${formatCount(total)}, ` : ''
  const words = `${part}${total === rows.length ? '' : 'all '}in the audit`
  const link = <Link href={pathWith('/agents/audit', { agent: name })}>{words}</Link>
  return (
    <Section title="Timeline" note={rows.length === 0 ? undefined : link}>
      {rows.length === 0 ? (
        <p>The audit has no row of it.</p>
      ) : (
        <EventTable label="Timeline" rows={rows} columns={columns} />
      )}
    </Section>
  )
}
