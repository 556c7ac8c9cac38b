import { useLocation, useSearch } from 'wouter'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { Chart } from '../../../components/chart/chart.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import { brokerPath, brokerPeriods, readBrokerFilter } from './broker-filter.ts'
import type { BrokerFilter } from './broker-filter.ts'
import { brokerFigures, formatLatency, latencyChart, routeChart } from './broker-words.ts'
import classes from '../chart-page.module.css'
import { Counting } from '../audit/counting.tsx'
import { DecisionSection } from '../agents/decision-section.tsx'
import { FigureRow } from '../overview/figure-row.tsx'
import { HandlerTable } from './handler-table.tsx'
import { PeriodPicker } from '../cost/period-picker.tsx'
import { SkillSection } from './skill-section.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { agentBrokerQuery } from '../cost/cost.api.ts'
import { whyUnknown } from '../cost/cost-words.ts'
import { timeWords } from '../cost/period.ts'
import { placeOfNow } from '../cost/spend-points.ts'

/** What the broker sends where, how fast that is, and what it saves. */
export function BrokerPage() {
  useTitle('Broker')
  const [, navigate] = useLocation()
  const filter = readBrokerFilter(useSearch())
  const broker = useAgentRead(agentBrokerQuery(filter))
  const { data } = broker
  return (
    <>
      <ViewHead title="Broker" stamp={data?.stamp ?? null}>
        <PeriodPicker
          offered={brokerPeriods}
          value={filter.time}
          pathOf={(time) => brokerPath({ ...filter, time })}
          onRange={(time) => navigate(brokerPath({ ...filter, time }), { replace: true })}
        />
      </ViewHead>
      <div className={classes['scroll']}>
        {broker.error !== null && (
          <ReadFailure
            error={broker.error}
            what="The broker cannot be read"
            retry={() => void broker.refetch()}
          />
        )}
        {data === undefined && broker.error === null && <ReadBones rows={8} height={32} what="the broker" />}
        {data !== undefined && <Routes broker={data} filter={filter} />}
        <DecisionSection filter={filter} isReady={data !== undefined} />
        {data !== undefined && <SkillSection skills={data.skills} />}
      </div>
    </>
  )
}

function Routes({ broker, filter }: { broker: AgentBroker; filter: BrokerFilter }) {
  const now = useNow()
  const { bucket, byHandler, together, stamp, time } = broker
  const words = `${timeWords(filter.time.period, time, now)} (UTC)`
  const shared = {
    now: placeOfNow({ buckets: broker.buckets, now: new Date(now).toISOString() }),
    ...(bucket === 'hour' ? { tickUnit: 'h' } : {}),
  }
  return (
    <>
      <Counting stamp={stamp} />
      <FigureRow figures={brokerFigures(broker, filter.time.period, now)} />
      {together === null ? (
        <p className={classes['none']}>unknown: {whyUnknown(stamp, 'broker_routes')}</p>
      ) : (
        <div className={classes['thirds']}>
          <Chart
            title={`Routes by ${bucket}, ${words}`}
            kind="bars"
            {...routeChart(broker, now)}
            format={(routes) => `${formatCount(routes)} ${routes === 1 ? 'route' : 'routes'}`}
            formatTick={(routes) => (Number.isInteger(routes) ? formatCount(routes) : '')}
            {...shared}
          />
          <Chart
            title={`Latency by ${bucket}, ${words}`}
            kind="lines"
            {...latencyChart(broker, now)}
            format={formatLatency}
            formatTick={formatLatency}
            {...shared}
          />
          <HandlerTable handlers={byHandler} together={together} filter={filter} />
        </div>
      )}
    </>
  )
}
