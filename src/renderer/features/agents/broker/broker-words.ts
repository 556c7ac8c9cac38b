import type { AgentBroker, HandlerType, RouteSum } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import type { ChartPoint, ChartSeries } from '../../../components/chart/chart-data.ts'
import { formatCount, listWords, plural } from '../../../lib/format.ts'
import { whyUnknown } from '../cost/cost-words.ts'
import type { Figure } from '../cost/cost-words.ts'
import { formatCents, formatUnitPrice } from '../cost/money.ts'
import { timeWords } from '../cost/period.ts'
import { bucketNames } from '../cost/spend-points.ts'

export const typeWords: Record<HandlerType, string> = {
  skill: 'skill',
  wasm: 'WASM',
  llm: 'LLM',
  other: 'other',
}

/** `412 ms`, `4.2 ms`; from ten seconds on `12.5 s`. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return 'unknown'
  if (ms >= 10_000) return `${(ms / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`
  return `${ms.toLocaleString('en-US', { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`
}

/** Whole percents of all routes; a part that there is is never 0 %, and one that is not all is never 100 %. */
export function shareWords(part: number, all: number): string {
  const percent = Math.round((part / all) * 100)
  if (part > 0 && percent === 0) return '<1 %'
  return part < all && percent === 100 ? '>99 %' : `${percent} %`
}

/** The four figures of the broker. */
export function brokerFigures(broker: AgentBroker, period: AgentPeriod, now: number): Figure[] {
  const { together, byType, saved, stamp, time } = broker
  const labels = [
    `Routes ${timeWords(period, time, now)}`,
    'Cost',
    'Saved against all-LLM',
    'Latency',
  ] as const
  if (together === null) {
    const note = whyUnknown(stamp, 'broker_routes')
    return labels.map((label) => ({ label, value: 'unknown', note }))
  }
  const shares = byType
    .filter(({ sum }) => sum.routes > 0)
    .map(({ type, sum }) => `${shareWords(sum.routes, together.routes)} ${typeWords[type]}`)
  return [
    {
      label: labels[0],
      value: formatCount(together.routes),
      note: shares.length === 0 ? 'there was none' : listWords(shares),
    },
    { label: labels[1], value: formatCents(together.cents), note: 'of routes with a known cost' },
    { label: labels[2], ...savedWords(saved, together) },
    latencyFigure(labels[3], together),
  ]
}

/** The assumption is said with the amount: it is what makes it one. */
function savedWords(saved: AgentBroker['saved'], together: RouteSum): Omit<Figure, 'label'> {
  if (together.routes === 0) return { value: 'unknown', note: 'there was no route' }
  if (saved === null) return { value: 'unknown', note: 'no LLM route of this time has a price' }
  const { cents, allLlmCents, llmRouteCents, llmRoutes } = saved
  const price = `${formatUnitPrice(llmRouteCents)}, the mean of ${plural(llmRoutes, 'LLM route')}`
  return { value: formatCents(cents), note: `all by LLM: ${formatCents(allLlmCents)}, each at ${price}` }
}

function latencyFigure(label: string, { p50, p95 }: RouteSum): Figure {
  if (p95 === null) return { label, value: 'unknown', note: 'no route has a latency' }
  return { label, value: `p95 ${formatLatency(p95)}`, note: `p50 ${formatLatency(p50)}` }
}

type Buckets = AgentBroker['buckets']

/** Routes by what handled them; a type that never did is left out, except where there is no route at all. */
export function routeChart({ buckets, bucket }: AgentBroker, now: number) {
  const colors = { skill: 'c1', wasm: 'c2', llm: 'c3', other: 'c5' } as const
  const types = (['skill', 'wasm', 'llm', 'other'] as const).filter(
    (type) => type !== 'other' || buckets.some(({ other }) => other > 0),
  )
  return {
    series: types.map((type): ChartSeries => ({ name: typeWords[type], color: colors[type] })),
    points: pointsOf(buckets, bucket, now, (one) => types.map((type) => one[type])),
  }
}

export function latencyChart({ buckets, bucket }: AgentBroker, now: number) {
  return {
    series: [{ name: 'p50' }, { name: 'p95' }] satisfies ChartSeries[],
    points: pointsOf(buckets, bucket, now, ({ p50, p95 }) => [p50, p95]),
  }
}

function pointsOf(
  buckets: Buckets,
  bucket: AgentBroker['bucket'],
  now: number,
  valuesOf: (one: Buckets[number]) => (number | null)[],
): ChartPoint[] {
  const namesOf = bucketNames(buckets, bucket, now)
  return buckets.map((one) => ({ ...namesOf(one.from, one.to), values: valuesOf(one) }))
}
