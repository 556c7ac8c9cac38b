import { IconFilter, IconPuzzle, IconRoute } from '@tabler/icons-react'
import { Link } from 'wouter'
import { handlerTypes, routeTable } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { FieldSegments } from '../../../components/list/segmented.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { formatCount, plural, upperFirst } from '../../../lib/format.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentRead, asTimeMoves } from '../agents.api.ts'
import { centsCell, countCell, Quiet, utcCell } from '../components/signs.tsx'
import { Columns, Figures, ReadPage } from '../components/view.tsx'
import { whyUnknown } from '../cost/cost-figures.ts'
import { formatCents } from '../cost/money.ts'
import { PeriodPicker } from '../cost/period-picker.tsx'
import { periodPhrase } from '../cost/period.ts'
import { ListSection, TableSection } from '../table/table-section.tsx'
import { brokerFilter, brokerPeriods, brokerQuery } from '../cost/period-filters.ts'
import type { BrokerFilter } from '../cost/period-filters.ts'
import { brokerFigures, formatLatency, latencyChart, routeChart, typeLabels } from './broker-figures.ts'

/** What the broker sends where, how fast that is, and what it saves. */
export function BrokerPage() {
  useTitle('Broker')
  const { filter, show } = useViewFilter(brokerFilter)
  const read = useAgentRead(asTimeMoves(agentRead(deskAgentRoutes.getAgentBroker, brokerQuery(filter))))
  const { data } = read
  return (
    <ReadPage
      title="Broker"
      what="the broker"
      read={read}
      tools={<PeriodPicker offered={brokerPeriods} view={brokerFilter} filter={filter} onRange={show} />}
    >
      {data !== undefined && <Routes broker={data} filter={filter} />}
      <DecisionSection filter={filter} isReady={data !== undefined} />
      {data !== undefined && <SkillSection skills={data.skills} />}
    </ReadPage>
  )
}

function Routes({ broker, filter }: { broker: AgentBroker; filter: BrokerFilter }) {
  const now = useNow()
  const { bucket, together, stamp, time } = broker
  const words = `${periodPhrase(filter.period, time, now)} (UTC)`
  return (
    <>
      <Figures figures={brokerFigures(broker, filter.period, now)} />
      {together === null ? (
        <p>unknown: {whyUnknown(stamp, 'broker_routes')}</p>
      ) : (
        <Columns three>
          <Chart
            title={`Routes by ${bucket}, ${words}`}
            kind="bars"
            {...routeChart(broker, now)}
            format={(routes) => plural(routes, 'route')}
            formatTick={(routes) => (Number.isInteger(routes) ? formatCount(routes) : '')}
          />
          <Chart
            title={`Latency by ${bucket}, ${words}`}
            kind="lines"
            {...latencyChart(broker, now)}
            format={formatLatency}
            formatTick={formatLatency}
          />
          <HandlerSection broker={broker} filter={filter} />
        </Columns>
      )}
    </>
  )
}

type HandlerRow = AgentBroker['byHandler']['items'][number]

const handlerColumns = (filter: BrokerFilter): readonly DataColumn<HandlerRow>[] => [
  {
    label: 'Handler',
    width: [88, 1.6],
    isRowHeader: true,
    cell: ({ handler, type }) =>
      handler === null ? (
        <Quiet>no handler named</Quiet>
      ) : (
        <Link href={brokerFilter.path({ ...filter, handler, type })} title={handler} replace>
          {handler}
        </Link>
      ),
  },
  { label: 'Type', width: [40, 0.6], cell: ({ type }) => typeLabels[type] },
  {
    label: 'Routes',
    width: [44, 0.6],
    numeric: true,
    cell: ({ sum }) => <b>{formatCount(sum.routes)}</b>,
  },
  { label: 'Cost', width: [56, 0.7], numeric: true, cell: ({ sum }) => formatCents(sum.cents) },
  { label: 'p50', width: [60, 0.8], numeric: true, cell: ({ sum }) => formatLatency(sum.p50) },
  { label: 'p95', width: [60, 0.8], numeric: true, cell: ({ sum }) => formatLatency(sum.p95) },
]

/** Who has handled how much, what it cost and how fast it was; a name shows its decisions below. */
function HandlerSection({ broker, filter }: { broker: AgentBroker; filter: BrokerFilter }) {
  const { byHandler, together } = broker
  const more = byHandler.total - byHandler.items.length
  return (
    <ListSection title="By handler" label="Routes by handler">
      <ListTable
        label="Routes by handler"
        rows={allRows(byHandler.items, 'handlers')}
        columns={handlerColumns(filter)}
        sum={together && { handler: null, type: 'other', sum: together }}
        most={7}
        gap={8}
      />
      {more > 0 && <Quiet>and {plural(more, 'handler')} more</Quiet>}
    </ListSection>
  )
}

/** What the broker has decided, newest first. */
function DecisionSection({ filter, isReady }: { filter: BrokerFilter; isReady: boolean }) {
  const { type, handler } = filter
  const chosen = [type === null ? null : typeLabels[type], handler].filter((word) => word !== null)
  return (
    <TableSection
      title="Decisions"
      noun="decision"
      table="broker_routes"
      routes={routeTable}
      query={brokerFilter.query(filter)}
      columns={[
        { label: 'Time, UTC', width: 84, cell: utcCell('at') },
        { label: 'Task', width: [160, 2], cell: 'task' },
        { label: 'Handler', width: [110, 1], cell: 'handler' },
        { label: 'Type', width: 56, cell: (one) => typeLabels[one.type] },
        { label: 'Latency', width: 88, numeric: true, cell: ({ latencyMs }) => formatLatency(latencyMs) },
        { label: 'Cost', width: 88, numeric: true, cell: centsCell('cents') },
      ]}
      keyOf={({ id }) => id}
      filter={
        <FieldSegments
          label="Decided for"
          view={brokerFilter}
          filter={filter}
          field="type"
          options={[[null, 'All'], ...handlerTypes.map((one) => [one, upperFirst(typeLabels[one])] as const)]}
          along={{ handler: null }}
        />
      }
      note={
        handler !== null && (
          <>
            {' for '}
            <b>{handler}</b>. <Link href={brokerFilter.path({ ...filter, handler: null })}>All handlers</Link>
          </>
        )
      }
      empty={
        chosen.length === 0 ? (
          <EmptyState icon={IconRoute} title="The broker has decided nothing in this time" />
        ) : (
          <EmptyState icon={IconFilter} title={`No decision for ${chosen.join(', ')} in this time`}>
            <Link href={brokerFilter.path({ ...filter, type: null, handler: null })}>Show all decisions</Link>
          </EmptyState>
        )
      }
      log={{ isReady }}
    />
  )
}

/** The skills that the broker can send work to, and how much it has sent in the time shown. */
function SkillSection({ skills }: { skills: AgentBroker['skills'] }) {
  const total = skills.length
  return (
    <ListSection
      title="Skills"
      note={total > 0 && `${plural(total, 'skill')} of the project; routes in the time shown above`}
    >
      {total === 0 ? (
        <EmptyState icon={IconPuzzle} title="The project has no skills" />
      ) : (
        <ListTable
          label="Skills"
          rows={allRows(skills, 'skills')}
          columns={[
            { label: 'Skill', width: [110, 1], mono: true, cell: 'name' },
            { label: 'Version', width: 72, mono: true, cell: 'version' },
            { label: 'Source', width: [72, 0.5], cell: 'source' },
            { label: 'Module', width: [110, 1], mono: true, cell: 'wasmPath' },
            { label: 'What it does', width: [140, 1.8], cell: ({ description }) => description ?? '' },
            { label: 'Routes', width: 72, numeric: true, cell: countCell('routes') },
            { label: 'Installed, UTC', width: 96, cell: utcCell('installedAt') },
          ]}
          most={8}
        />
      )}
    </ListSection>
  )
}
