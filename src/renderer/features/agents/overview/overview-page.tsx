import { Link } from 'wouter'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import type { HandlerType } from '../../../../shared/contracts/desk-agents-tables.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import { statuses } from '../../../components/feedback/status.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { Section } from '../../../components/section.tsx'
import { formatCount } from '../../../lib/format.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { AuditState } from '../audit/audit-state.tsx'
import { formatLatency, formatShare, typeLabels } from '../broker/broker-figures.ts'
import { agentCell, AgentStateBadge, eventCell, utcCell } from '../components/values.tsx'
import { Columns, Figures, ReadPage } from '../components/view-parts.tsx'
import { formatCents, unpricedNote } from '../cost/money.ts'
import { SpendChartFigure } from '../cost/spend-chart.tsx'
import { EventTable } from '../table/table-section.tsx'
import { AlertList } from './alert-list.tsx'
import { names, texts } from '../agents.texts.ts'
import classes from './overview.module.css'

/** Alerts, key figures and the latest audit rows. */
export function OverviewPage() {
  const read = useAgentRead(agentRead(deskAgentRoutes.getAgentOverview))
  const { data } = read
  return (
    <ReadPage title={texts.overview.title} read={read}>
      {data !== undefined && (
        <>
          <AlertList
            alerts={data.alerts}
            total={data.alertsTotal}
            isComplete={data.stamp.counting === null && data.stamp.missingTables.length === 0}
          />
          <Figures figures={figuresOf(data)} />
          <Columns>
            <SpendChartFigure chart={data.chart} stamp={data.stamp} title={texts.overview.spendChart} />
            <RecentEvents events={data.events} />
          </Columns>
        </>
      )}
    </ReadPage>
  )
}

/** The key figures; each links to its view. */
function figuresOf({ agents, spent, audit, broker, stamp }: AgentOverview) {
  return [
    {
      label: texts.agents.title,
      href: '/agents/list',
      value: agents === null ? texts.unknown : formatCount(agents.total),
      note: agents && <States counts={agents.counts} />,
    },
    {
      label: names.spentToday,
      href: '/agents/cost',
      value: spent === null ? texts.unknown : formatCents(spent.today.cents),
      note: spent && spentNote(spent),
    },
    {
      label: texts.overview.auditToday,
      href: '/agents/audit',
      value: audit?.today == null ? texts.unknown : formatCount(audit.today),
      note: audit && <AuditState summary={audit} stamp={stamp} />,
    },
    {
      label: texts.overview.brokerLastHour,
      href: '/agents/broker',
      value: broker === null ? texts.unknown : texts.broker.p95(formatLatency(broker.together.p95)),
      note: broker && brokerNote(broker),
    },
  ]
}

/** The lines below today's spend. */
function spentNote({ today, yesterday, expected }: NonNullable<AgentOverview['spent']>): string[] {
  const missing = unpricedNote(today)
  return [
    expected === null ? texts.overview.noForecast : texts.forecast(formatCents(expected.cents)),
    texts.overview.yesterday(formatCents(yesterday.cents)),
    ...(missing === null ? [] : [texts.overview.today(missing)]),
  ]
}

/** The median latency, and each handler type's share of the routes. */
function brokerNote({ together, skill, wasm, llm, other }: NonNullable<AgentOverview['broker']>): string[] {
  if (together.routes === 0) return [texts.overview.broker.noRoutes]
  const shares = Object.entries({ skill, wasm, llm, other })
    .filter(([type, part]) => type !== 'other' || part > 0)
    .map(([type, part]) => `${formatShare(part, together.routes)} ${typeLabels[type as HandlerType]}`)
  return [texts.overview.broker.p50(formatLatency(together.p50), together.routes), shares.join(', ')]
}

/** How many agents are in each state, as a bar and as links. */
function States({ counts }: { counts: StateCounts }) {
  const states = agentStates.filter((state) => counts[state] > 0)
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {states.map((state) => (
          <i key={state} data-ink={statuses[state].tone} style={{ flexGrow: counts[state] }} />
        ))}
      </div>
      <ul className={classes['states']}>
        {states.map((state) => (
          <li key={state}>
            <Link href={agentFilter.path({ state })}>
              <AgentStateBadge state={state} text={texts.counted(counts[state], state)} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

const columns: readonly DataColumn<AgentOverview['events'][number]>[] = [
  { label: names.when, width: 72, cell: utcCell('at') },
  { label: names.agent, width: [88, 1], cell: agentCell('agent') },
  { label: names.event, width: [80, 0.8], cell: eventCell },
  { label: names.detail, width: [80, 2], cell: ({ detail }) => detail ?? '' },
]

/** The newest audit rows. */
function RecentEvents({ events }: { events: AgentOverview['events'] }) {
  const { title, note, none } = texts.overview.events
  return (
    <Section title={title} beside={note} note={<Link href="/agents/audit">{texts.audit.title}</Link>}>
      {events.length === 0 ? <p>{none}</p> : <EventTable label={title} rows={events} columns={columns} />}
    </Section>
  )
}
