import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentOverviewQuery } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { formatLatency } from '../broker/broker-figures.ts'
import { agentCell, AgentStateSign, EventName, Sign, utcCell } from '../components/signs.tsx'
import { Columns, Figures, ReadPage } from '../components/view.tsx'
import { formatCents } from '../cost/money.ts'
import { SpendChartFigure } from '../cost/spend-chart.tsx'
import { EventTable, ListSection } from '../table/table-section.tsx'
import { AlertList } from './alert-list.tsx'
import classes from './overview.module.css'
import { auditChecked, auditProblems, brokerNote, spentNote } from './overview-notes.ts'

/** What needs a person, worst first, and how the agents do. */
export function OverviewPage() {
  useTitle('Agents')
  const read = useAgentRead(agentOverviewQuery)
  const { data } = read
  return (
    <ReadPage title="Overview" what="the overview" read={read}>
      {data !== undefined && (
        <>
          <AlertList
            alerts={data.alerts}
            total={data.alertsTotal}
            known={data.stamp.counting === null && data.stamp.missingTables.length === 0}
          />
          <Figures figures={figuresOf(data)} />
          <Columns>
            {data.chart === null ? (
              <p>
                {data.stamp.missingTables.includes('cost_events')
                  ? 'Spend is unknown: the database has no table cost_events.'
                  : 'Spend is being counted.'}
              </p>
            ) : (
              <SpendChartFigure chart={data.chart} title="Spend by hour, today (UTC)" />
            )}
            <LastEvents events={data.events} />
          </Columns>
        </>
      )}
    </ReadPage>
  )
}

/** How the agents do; each figure leads to its view. */
function figuresOf({ agents, spent, audit, broker }: AgentOverview) {
  return [
    {
      label: 'Agents',
      href: '/agents/list',
      value: agents === null ? 'unknown' : formatCount(agents.total),
      note: agents && <States counts={agents.counts} />,
    },
    {
      label: 'Spent today',
      href: '/agents/cost',
      value: spent === null ? 'unknown' : formatCents(spent.today.cents),
      note: spent && spentNote(spent),
    },
    {
      label: 'Audit rows today',
      href: '/agents/audit',
      value: audit?.today == null ? 'unknown' : formatCount(audit.today),
      note: audit && [<AuditSign key="sign" audit={audit} />, auditChecked(audit)],
    },
    {
      label: 'Broker, last hour',
      href: '/agents/broker',
      value: broker === null ? 'unknown' : `p95 ${formatLatency(broker.together.p95)}`,
      note: broker && brokerNote(broker),
    },
  ]
}

function AuditSign({ audit }: { audit: NonNullable<AgentOverview['audit']> }) {
  const trouble = auditProblems(audit)
  if (trouble !== null) return <Sign tone="bad" text={trouble} />
  if (audit.checked === 0) return null
  return <Sign tone="calm" icon={IconCircleCheck} text="all that were checked match" />
}

/** How many are in each state, as lengths and in words. */
function States({ counts }: { counts: StateCounts }) {
  const states = agentStates.filter((state) => counts[state] > 0)
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {states.map((state) => (
          <i key={state} data-state={state} style={{ flexGrow: counts[state] }} />
        ))}
      </div>
      <ul className={classes['states']}>
        {states.map((state) => (
          <li key={state}>
            <Link href={agentFilter.path({ state })}>
              <AgentStateSign state={state} text={`${formatCount(counts[state])} ${state}`} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

const columns: readonly DataColumn<AgentOverview['events'][number]>[] = [
  { label: 'When', width: 72, cell: utcCell('at') },
  { label: 'Agent', width: [88, 1], cell: agentCell('agent') },
  { label: 'Event', width: [80, 0.8], cell: ({ event }) => <EventName event={event} /> },
  { label: 'Detail', width: [80, 1], cell: ({ detail }) => detail ?? '' },
]

/** The newest audit rows. */
function LastEvents({ events }: { events: AgentOverview['events'] }) {
  return (
    <ListSection title="Last events" note="UTC" tools={<Link href="/agents/audit">Audit</Link>}>
      {events.length === 0 ? (
        <p>The audit has no rows.</p>
      ) : (
        <EventTable label="Last events" rows={events} columns={columns} />
      )}
    </ListSection>
  )
}
