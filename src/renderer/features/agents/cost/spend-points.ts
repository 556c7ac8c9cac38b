import type { SpendChart } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { ChartPoint, ChartSeries } from '../../../components/chart/chart-data.ts'
import { utcDay } from '../agent-time.ts'

/** Models or agents as a chart tells them apart; all others are grey. */
export function spendSeries({ series, by }: SpendChart): ChartSeries[] {
  // Where nobody has called anything there is nothing to tell apart.
  if (series.length === 0) return [{ name: 'spent' }]
  return series.map(({ name, others }) => ({
    name: others ? 'others' : seriesName(name, by),
    ...(others ? { color: 'c5' as const } : {}),
  }))
}

/** What calls are listed under that name none. */
export function seriesName(name: string | null, by: 'model' | 'agent'): string {
  return name ?? `no ${by} named`
}

/** Dollars in each bucket. */
export function spendPoints({ buckets, bucket, series }: SpendChart, now: number): ChartPoint[] {
  const namesOf = bucketNames(buckets, bucket, now)
  return buckets.map(({ from, to, cents, spend, expectedCents }) => ({
    ...namesOf(from, to),
    values: (series.length === 0 ? [spend.cents] : cents).map(inDollars),
    expected: inDollars(expectedCents),
  }))
}

const inDollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

interface Time {
  from: string
  to: string
}

/** What a bucket is called, and what stands under it; hours of several days carry their day. */
export function bucketNames(
  buckets: readonly Time[],
  bucket: 'minute' | 'hour' | 'day',
  now: number,
): (from: string, to: string) => { title: string; tick: string } {
  const isOneDay = buckets[0]?.from.slice(0, 10) === buckets.at(-1)?.from.slice(0, 10)
  return (from, to) => {
    const date = utcDay(from, now)
    if (bucket === 'day') return { title: date, tick: date }
    const clock = `${from.slice(11, 16)} to ${to.slice(11, 16)}`
    return {
      title: isOneDay ? clock : `${date}, ${clock}`,
      tick: bucket === 'hour' ? from.slice(11, 13) : from.slice(11, 16),
    }
  }
}

/** The present moment as a place among the buckets: 10.5 is the middle of the eleventh. */
export function placeOfNow({
  buckets,
  now,
}: {
  buckets: readonly Time[]
  now: string | null
}): number | null {
  if (now === null) return null
  const at = Date.parse(now)
  const place = buckets.findIndex(({ from, to }) => at >= Date.parse(from) && at < Date.parse(to))
  const bucket = buckets[place]
  if (bucket === undefined) return null
  const from = Date.parse(bucket.from)
  return place + (at - from) / (Date.parse(bucket.to) - from)
}
