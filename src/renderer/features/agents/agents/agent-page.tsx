import { IconAlertOctagonFilled, IconRobotOff } from '@tabler/icons-react'
import { Link, useSearch } from 'wouter'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AgentStamp, Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { Section } from '../../../components/section.tsx'
import { pathWith } from '../../../lib/app/page-address.ts'
import { formatCount } from '../../../lib/format.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { AgentStateBadge, eventCell, utcCell } from '../components/values.tsx'
import { Figures, ReadPage } from '../components/view-parts.tsx'
import type { Figure } from '../cost/cost-figures.ts'
import { formatCents, unpricedNote } from '../cost/money.ts'
import { SpendChartFigure } from '../cost/spend-chart.tsx'
import { AlertList } from '../overview/alert-list.tsx'
import { EventTable } from '../table/table-section.tsx'
import { AgentFacts } from './agent-facts.tsx'
import type { Agent } from './agent-facts.tsx'
import { names, texts } from '../agents.texts.ts'
import classes from './agent-page.module.css'

/** Everything known about one agent. */
export function AgentPage() {
  const name = new URLSearchParams(useSearch()).get('name') ?? ''
  const read = useAgentRead(agentRead(deskAgentRoutes.getDeskAgent, { name }))
  const { data } = read
  const agent = data?.agent
  return (
    <ReadPage
      title={name}
      label={texts.agent.label(name)}
      what={names.agent}
      read={read}
      tools={
        <>
          {agent != null && <AgentStateBadge state={agent.state} status={agent.status} />}
          <Link href="/agents/list" className={classes['all']}>
            {texts.agent.all}
          </Link>
        </>
      }
    >
      {agent === null && (
        <EmptyState icon={IconRobotOff} title={texts.agent.notFound(name)}>
          <p>
            {data !== undefined && data.namedIn.length > 0
              ? texts.agent.namedIn(data.namedIn)
              : texts.agent.namedNowhere}
          </p>
          <p>
            <Link href="/agents/list">{texts.agent.all}</Link>
          </p>
        </EmptyState>
      )}
      {data !== undefined && agent != null && (
        <>
          {agent.alerts.length > 0 && (
            <AlertList alerts={agent.alerts} total={agent.alerts.length} agent={name} />
          )}
          <div className={classes['columns']}>
            <div>
              <AgentFacts agent={agent} />
            </div>
            <div>
              <AgentSpend agent={agent} stamp={data.stamp} />
              <AgentTimeline agent={agent} />
            </div>
          </div>
        </>
      )}
    </ReadPage>
  )
}

/** The agent's spend today, this month, and by model in the last thirty days. */
function AgentSpend({ agent, stamp }: { agent: Agent; stamp: AgentStamp }) {
  const { spentToday, spentMonth, expectedToday, chart } = agent
  const labels = texts.agent.spend
  const forecast = expectedToday && texts.forecast(formatCents(expectedToday.cents))
  return (
    <section aria-label={labels.title} className={classes['spend']}>
      <Figures
        figures={[
          amountFigure(labels.today, spentToday, forecast),
          amountFigure(names.spentMonth, spentMonth, null),
        ]}
      />
      <SpendChartFigure chart={chart} stamp={stamp} title={labels.chart} height={180} />
    </section>
  )
}

function amountFigure(label: string, spend: Spend | null, forecast: string | null): Figure {
  if (spend === null) return { label, value: texts.unknown, note: forecast }
  const lines = [texts.cost.calls(spend.calls), unpricedNote(spend), forecast]
  return { label, value: formatCents(spend.cents), note: lines.filter((line) => line !== null) }
}

const columns: readonly DataColumn<AuditRow>[] = [
  { label: texts.utc(names.when), width: 84, cell: utcCell('at') },
  { label: names.event, width: [88, 1], cell: eventCell },
  { label: names.detail, width: [120, 2], cell: ({ detail }) => detail ?? '' },
  {
    label: names.row,
    width: 96,
    numeric: true,
    cell: ({ id, verified }) => (
      <Link href={pathWith('/agents/audit', { around: id })} data-ink={verified ? undefined : 'bad'}>
        {!verified && (
          <IconAlertOctagonFilled size={14} aria-label={texts.agent.timeline.mismatch} role="img" />
        )}{' '}
        {formatCount(id)}
      </Link>
    ),
  },
]

/** The agent's audit rows, newest first. */
function AgentTimeline({ agent: { name, timeline: rows, timelineTotal: total } }: { agent: Agent }) {
  const { title, showAll, showPart, none } = texts.agent.timeline
  const label = total !== null && rows.length < total ? showPart(rows.length, total) : showAll
  const link = <Link href={pathWith('/agents/audit', { agent: name })}>{label}</Link>
  return (
    <Section title={title} note={rows.length > 0 && link}>
      {rows.length === 0 ? <p>{none}</p> : <EventTable label={title} rows={rows} columns={columns} />}
    </Section>
  )
}
