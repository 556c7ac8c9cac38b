import { IconPuzzle, IconRoute } from '@tabler/icons-react'
import { Link } from 'wouter'
import { handlerTypes, routeTable } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { Section } from '../../../components/section.tsx'
import { formatCount, upperFirst } from '../../../lib/format.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { centsCell, countCell, Quiet, utcCell } from '../components/values.tsx'
import { Columns, Figures, ReadPage } from '../components/view-parts.tsx'
import { whyUnknown } from '../cost/cost-figures.ts'
import { formatCents } from '../cost/money.ts'
import { PeriodPicker } from '../cost/period-picker.tsx'
import { brokerFilter, brokerPeriods, brokerQuery, periodPhrase } from '../cost/period.ts'
import type { BrokerState } from '../cost/period.ts'
import { TableSection } from '../table/table-section.tsx'
import { brokerFigures, formatLatency, latencyChart, routeChart, typeLabels } from './broker-figures.ts'
import { names, texts } from '../agents.texts.ts'

/** The broker's routes, their latency and cost, and what it saves. */
export function BrokerPage() {
  const state = useViewFilter(brokerFilter)
  const read = useAgentRead(agentRead(deskAgentRoutes.getAgentBroker, brokerQuery(state.filter)))
  const { data } = read
  return (
    <ReadPage
      title={texts.broker.title}
      read={read}
      tools={<PeriodPicker offered={brokerPeriods} state={state} />}
    >
      {data !== undefined && <Routes broker={data} state={state} />}
      <DecisionSection state={state} />
      {data !== undefined && <SkillSection skills={data.skills} />}
    </ReadPage>
  )
}

interface BrokerProps {
  broker: AgentBroker
  state: BrokerState
}

function Routes({ broker, state }: BrokerProps) {
  const now = useNow()
  const { period } = state.filter
  const { bucket, together, stamp, time } = broker
  const phrase = periodPhrase(period, time, now)
  return (
    <>
      <Figures figures={brokerFigures(broker, period, now)} />
      {together === null ? (
        <p>{texts.broker.unknown(whyUnknown(stamp, 'broker_routes'))}</p>
      ) : (
        <Columns>
          <Chart
            title={texts.broker.charts.routes(bucket, phrase)}
            kind="bars"
            {...routeChart(broker, now)}
            format={texts.broker.routes}
            formatTick={(routes) => (Number.isInteger(routes) ? formatCount(routes) : '')}
          />
          <Chart
            title={texts.broker.charts.latency(bucket, phrase)}
            kind="lines"
            {...latencyChart(broker, now)}
            format={formatLatency}
            formatTick={formatLatency}
          />
          <HandlerSection broker={broker} state={state} />
        </Columns>
      )}
    </>
  )
}

type HandlerRow = AgentBroker['byHandler']['items'][number]

const handlerColumns = ({ pathTo }: BrokerState): readonly DataColumn<HandlerRow>[] => [
  {
    label: names.handler,
    width: [88, 1.6],
    isRowHeader: true,
    cell: ({ handler, type }) =>
      handler === null ? (
        <Quiet>{texts.broker.handlers.unnamed}</Quiet>
      ) : (
        <Link href={pathTo({ handler, type })} title={handler} replace>
          {handler}
        </Link>
      ),
  },
  { label: names.type, width: [40, 0.6], cell: ({ type }) => typeLabels[type] },
  {
    label: names.routes,
    width: [44, 0.6],
    numeric: true,
    cell: ({ sum }) => <b>{formatCount(sum.routes)}</b>,
  },
  { label: names.cost, width: [56, 0.7], numeric: true, cell: ({ sum }) => formatCents(sum.cents) },
  { label: names.p50, width: [60, 0.8], numeric: true, cell: ({ sum }) => formatLatency(sum.p50) },
  { label: names.p95, width: [60, 0.8], numeric: true, cell: ({ sum }) => formatLatency(sum.p95) },
]

/** Routes, cost and latency by handler; a handler's link filters the routes below. */
function HandlerSection({ broker, state }: BrokerProps) {
  const { byHandler, together } = broker
  const labels = texts.broker.handlers
  const more = byHandler.total - byHandler.items.length
  return (
    <Section title={labels.title} label={labels.label}>
      <ListTable
        label={labels.label}
        rows={allRows(byHandler.items, 'handlers')}
        columns={handlerColumns(state)}
        sum={together && { handler: null, type: 'other', sum: together }}
        maxRows={7}
        gap={8}
      />
      {more > 0 && <Quiet>{labels.more(more)}</Quiet>}
    </Section>
  )
}

/** The broker's routes, newest first. */
function DecisionSection({ state }: Pick<BrokerProps, 'state'>) {
  const { filter, pathTo } = state
  const { type, handler } = filter
  const labels = texts.broker.routeTable
  const chosen = [type && typeLabels[type], handler].filter((name) => name !== null).join(', ')
  return (
    <TableSection
      title={labels.title}
      noun={labels.noun}
      table="broker_routes"
      routes={routeTable}
      query={brokerFilter.query(filter)}
      columns={[
        { label: texts.utc(names.time), width: 84, cell: utcCell('at') },
        { label: names.task, width: [160, 2], cell: 'task' },
        { label: names.handler, width: [110, 1], cell: 'handler' },
        { label: names.type, width: 56, cell: (one) => typeLabels[one.type] },
        { label: names.latency, width: 88, numeric: true, cell: ({ latencyMs }) => formatLatency(latencyMs) },
        { label: names.cost, width: 88, numeric: true, cell: centsCell('cents') },
      ]}
      keyOf={({ id }) => id}
      filter={
        <FieldSegments
          label={labels.filter}
          state={state}
          field="type"
          options={[
            [null, texts.all],
            ...handlerTypes.map((one) => [one, upperFirst(typeLabels[one])] as const),
          ]}
          along={{ handler: null }}
        />
      }
      note={
        handler !== null && (
          <>
            {labels.for}
            <b>{handler}</b>. <Link href={pathTo({ handler: null })}>{labels.allHandlers}</Link>
          </>
        )
      }
      empty={{
        icon: IconRoute,
        title: labels.none(chosen),
        all: chosen === '' ? null : { href: pathTo({ type: null, handler: null }), label: labels.showAll },
      }}
      isLog
    />
  )
}

/** The skills that the broker can route to, with their routes in the period shown. */
function SkillSection({ skills }: { skills: AgentBroker['skills'] }) {
  const total = skills.length
  const labels = texts.broker.skills
  return (
    <Section title={labels.title} beside={total > 0 && labels.note(total)}>
      {total === 0 ? (
        <EmptyState icon={IconPuzzle} title={labels.none} />
      ) : (
        <ListTable
          label={labels.title}
          rows={allRows(skills, 'skills')}
          columns={[
            { label: names.skill, width: [110, 1], mono: true, cell: 'name' },
            { label: names.version, width: 72, mono: true, cell: 'version' },
            { label: names.source, width: [72, 0.5], cell: 'source' },
            { label: names.module, width: [110, 1], mono: true, cell: 'wasmPath' },
            { label: names.description, width: [140, 1.8], cell: ({ description }) => description ?? '' },
            { label: names.routes, width: 72, numeric: true, cell: countCell('routes') },
            { label: texts.utc(names.installed), width: 96, cell: utcCell('installedAt') },
          ]}
          maxRows={8}
        />
      )}
    </Section>
  )
}
