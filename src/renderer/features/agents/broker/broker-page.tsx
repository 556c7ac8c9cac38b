import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentBrokerQuery } from '../agents.api.ts'
import { Figures } from '../components/figures.tsx'
import { Columns, ReadPage } from '../components/view.tsx'
import { whyUnknown } from '../cost/cost-words.ts'
import { PeriodPicker } from '../cost/period-picker.tsx'
import { timeWords } from '../cost/period.ts'
import { placeOfNow } from '../cost/spend-points.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { brokerFilter, brokerPeriods } from './broker-filter.ts'
import type { BrokerFilter } from './broker-filter.ts'
import { DecisionSection, HandlerSection, SkillSection } from './broker-tables.tsx'
import { brokerFigures, formatLatency, latencyChart, routeChart } from './broker-words.ts'

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
  const { bucket, together, stamp, time } = broker
  const words = `${timeWords(filter.period, time, now)} (UTC)`
  const shared = {
    now: placeOfNow({ buckets: broker.buckets, now: new Date(now).toISOString() }),
    ...(bucket === 'hour' ? { tickUnit: 'h' } : {}),
  }
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
          <HandlerSection broker={broker} filter={filter} />
        </Columns>
      )}
    </>
  )
}
