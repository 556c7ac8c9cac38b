import type { SpendChart } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { ChartPoint, ChartSeries } from '../../../components/chart/chart-data.ts'
import { utcDay } from '../agent-time.ts'
import type { Time } from './period.ts'
import { texts } from '../agents.texts.ts'

/**
 * The chart data of time buckets: their titles, ticks and values. Hours of several days include the day in their titles. `at`
 * is the current time, if the chart marks it.
 */
export function timeChart<Bucket extends Time>(
  { buckets, bucket }: { buckets: readonly Bucket[]; bucket: AgentBroker['bucket'] },
  at: string | null,
  now: number,
  valuesOf: (one: Bucket) => Omit<ChartPoint, 'title' | 'tick'>,
) {
  const isOneDay = buckets[0]?.from.slice(0, 10) === buckets.at(-1)?.from.slice(0, 10)
  const namesOf = ({ from, to }: Time): { title: string; tick: string } => {
    const date = utcDay(from, now)
    if (bucket === 'day') return { title: date, tick: date }
    const clock = `${from.slice(11, 16)} to ${to.slice(11, 16)}`
    const tick = from.slice(11, bucket === 'hour' ? 13 : 16)
    return { title: isOneDay ? clock : `${date}, ${clock}`, tick }
  }
  return {
    points: buckets.map((one): ChartPoint => ({ ...namesOf(one), ...valuesOf(one) })),
    now: at === null ? null : placeOf(buckets, Date.parse(at)),
    ...(bucket === 'hour' && { tickUnit: 'h' }),
  }
}

/** A time as a position on the axis: 10.5 is the middle of the eleventh bucket. */
function placeOf(buckets: readonly Time[], at: number): number | null {
  const spans = buckets.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
  const place = spans.findIndex(({ from, to }) => at >= from && at < to)
  const span = spans[place]
  return span === undefined ? null : place + (at - span.from) / (span.to - span.from)
}

/** The label of a model or an agent; calls may have none. */
export function seriesName(name: string | null, by: 'model' | 'agent'): string {
  return name ?? texts.cost.chart.unnamed(by)
}

const inDollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** Dollars in each bucket, by model or by agent; all others are gray. */
export function spendData(chart: SpendChart, now: number) {
  const { series, by } = chart
  // Without calls there are no groups, but the chart still shows $0.
  const isEmpty = series.length === 0
  return {
    series: isEmpty
      ? [{ name: texts.cost.chart.spent }]
      : series.map(({ name, others }): ChartSeries =>
          others ? { name: texts.cost.chart.others, color: 'c5' } : { name: seriesName(name, by) },
        ),
    ...timeChart(chart, chart.now, now, ({ cents, spend, expectedCents }) => ({
      values: (isEmpty ? [spend.cents] : cents).map(inDollars),
      forecast: inDollars(expectedCents),
    })),
  }
}
