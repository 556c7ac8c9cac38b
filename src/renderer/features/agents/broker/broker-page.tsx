import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { ReadPage } from '../components/read-page.tsx'
import { Chart } from '../../../components/chart/chart.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import { brokerFilter, brokerPeriods } from './broker-filter.ts'
import type { BrokerFilter } from './broker-filter.ts'
import { brokerFigures, formatLatency, latencyChart, routeChart } from './broker-words.ts'
import classes from '../components/read-page.module.css'
import { DecisionSection } from './decision-section.tsx'
import { FigureRow } from '../components/figure-row.tsx'
import { HandlerTable } from './handler-table.tsx'
import { PeriodPicker } from '../cost/period-picker.tsx'
import { SkillSection } from './skill-section.tsx'
import { agentBrokerQuery } from '../cost/cost.api.ts'
import { whyUnknown } from '../cost/cost-words.ts'
import { timeWords } from '../cost/period.ts'
import { placeOfNow } from '../cost/spend-points.ts'
import { useViewFilter } from '../table/use-view-filter.ts'

/** What the broker sends where, how fast that is, and what it saves. */
export function BrokerPage() {
  useTitle('Broker')
  const { filter, show } = useViewFilter(brokerFilter)
  const broker = useAgentRead(agentBrokerQuery(filter))
  const { data } = broker
  return (
    <ReadPage
      title="Broker"
      what="the broker"
      read={broker}
      tools={
        <PeriodPicker
          offered={brokerPeriods}
          value={filter}
          pathOf={(time) => brokerFilter.path({ ...filter, ...time })}
          onRange={show}
        />
      }
    >
      {data !== undefined && <Routes broker={data} filter={filter} />}
      <DecisionSection filter={filter} isReady={data !== undefined} />
      {data !== undefined && <SkillSection skills={data.skills} />}
    </ReadPage>
  )
}

function Routes({ broker, filter }: { broker: AgentBroker; filter: BrokerFilter }) {
  const now = useNow()
  const { bucket, byHandler, together, stamp, time } = broker
  const words = `${timeWords(filter.period, time, now)} (UTC)`
  const shared = {
    now: placeOfNow({ buckets: broker.buckets, now: new Date(now).toISOString() }),
    ...(bucket === 'hour' ? { tickUnit: 'h' } : {}),
  }
  return (
    <>
      <FigureRow figures={brokerFigures(broker, filter.period, now)} />
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
