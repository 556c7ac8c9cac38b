import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentBroker, HandlerType } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import type { ChartSeries } from '../../../components/chart/chart-data.ts'
import { formatCount, listWords, plural } from '../../../lib/format.ts'
import { unknownFigure, whyUnknown } from '../cost/cost-figures.ts'
import type { Figure } from '../cost/cost-figures.ts'
import { formatCents, formatUnitPrice } from '../cost/money.ts'
import { periodPhrase } from '../cost/period.ts'
import { timeChart } from '../cost/spend-points.ts'

export const typeLabels: Record<HandlerType, string> = {
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
export function formatShare(part: number, all: number): string {
  const percent = Math.round((part / all) * 100)
  if (part > 0 && percent === 0) return '<1 %'
  return part < all && percent === 100 ? '>99 %' : `${percent} %`
}

/** The four figures of the broker. */
export function brokerFigures(broker: AgentBroker, period: AgentPeriod, now: number): Figure[] {
  const { together, byType, saved, stamp, time } = broker
  const label = `Routes ${periodPhrase(period, time, now)}`
  if (together === null) {
    const note = whyUnknown(stamp, 'broker_routes')
    return [label, 'Cost', 'Saved against all-LLM', 'Latency'].map((one) => unknownFigure(one, note))
  }
  const { routes, cents, p50, p95 } = together
  const shares = byType
    .filter(({ sum }) => sum.routes > 0)
    .map(({ type, sum }) => `${formatShare(sum.routes, routes)} ${typeLabels[type]}`)
  return [
    { label, value: formatCount(routes), note: shares.length === 0 ? 'there was none' : listWords(shares) },
    { label: 'Cost', value: formatCents(cents), note: 'of routes with a known cost' },
    savedFigure('Saved against all-LLM', saved, routes),
    p95 === null
      ? unknownFigure('Latency', 'no route has a latency')
      : { label: 'Latency', value: `p95 ${formatLatency(p95)}`, note: `p50 ${formatLatency(p50)}` },
  ]
}

/** The assumption is said with the amount: it is what makes it one. */
function savedFigure(label: string, saved: AgentBroker['saved'], routes: number): Figure {
  if (routes === 0) return unknownFigure(label, 'there was no route')
  if (saved === null) return unknownFigure(label, 'no LLM route of this time has a price')
  const { cents, allLlmCents, llmRouteCents, llmRoutes } = saved
  const price = `${formatUnitPrice(llmRouteCents)}, the mean of ${plural(llmRoutes, 'LLM route')}`
  return {
    label,
    value: formatCents(cents),
    note: `all by LLM: ${formatCents(allLlmCents)}, each at ${price}`,
  }
}

/** Routes by what handled them; a type that never did is left out, except where there is no route at all. */
export function routeChart(broker: AgentBroker, now: number) {
  const colors = { skill: 'c1', wasm: 'c2', llm: 'c3', other: 'c5' } as const
  const types = handlerTypes.filter(
    (type) => type !== 'other' || broker.buckets.some(({ other }) => other > 0),
  )
  return {
    series: types.map((type): ChartSeries => ({ name: typeLabels[type], color: colors[type] })),
    ...timeChart(broker, new Date(now).toISOString(), now, (one) => ({
      values: types.map((type) => one[type]),
    })),
  }
}

export function latencyChart(broker: AgentBroker, now: number) {
  return {
    series: [{ name: 'p50' }, { name: 'p95' }] satisfies ChartSeries[],
    ...timeChart(broker, new Date(now).toISOString(), now, ({ p50, p95 }) => ({ values: [p50, p95] })),
  }
}
