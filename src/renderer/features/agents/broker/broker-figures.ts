import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentBroker, HandlerType } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import type { ChartSeries } from '../../../components/chart/chart-data.ts'
import { formatCount, listWords } from '../../../lib/format.ts'
import { unknownAmount, whyUnknown } from '../cost/cost-figures.ts'
import type { Figure } from '../cost/cost-figures.ts'
import { formatCents, formatUnitPrice } from '../cost/money.ts'
import { periodPhrase } from '../cost/period.ts'
import { timeChart } from '../cost/spend-points.ts'
import { names, texts } from '../agents.texts.ts'

export const typeLabels: Record<HandlerType, string> = texts.broker.types

/** `412 ms`, `4.2 ms`; `12.5 s` from ten seconds. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return texts.unknown
  if (ms >= 10_000) return `${(ms / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`
  return `${ms.toLocaleString('en-US', { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`
}

/** A percentage of all routes. Only no routes are `0%`, and only all of them are `100%`. */
export function formatShare(part: number, all: number): string {
  const percent = Math.round((part / all) * 100)
  if (part > 0 && percent === 0) return '<1%'
  return part < all && percent === 100 ? '>99%' : `${percent}%`
}

/** The key figures of the broker. */
export function brokerFigures(broker: AgentBroker, period: AgentPeriod, now: number): Figure[] {
  const { together, byType, saved, stamp, time } = broker
  const labels = texts.broker.figures
  const label = labels.routes(periodPhrase(period, time, now))
  if (together === null) {
    const amount = unknownAmount(whyUnknown(stamp, 'broker_routes'))
    return [label, names.cost, labels.saved, names.latency].map((one) => ({
      label: one,
      ...amount,
    }))
  }
  const { routes, cents, p50, p95 } = together
  const shares = byType
    .filter(({ sum }) => sum.routes > 0)
    .map(({ type, sum }) => `${formatShare(sum.routes, routes)} ${typeLabels[type]}`)
  const latency =
    p95 === null
      ? unknownAmount(texts.broker.noLatency)
      : { value: texts.broker.p95(formatLatency(p95)), note: texts.broker.p50(formatLatency(p50)) }
  return [
    { label, value: formatCount(routes), note: routes === 0 ? texts.broker.noRoutes : listWords(shares) },
    { label: names.cost, value: formatCents(cents), note: texts.broker.knownCost },
    { label: labels.saved, ...savedAmount(saved, routes) },
    { label: names.latency, ...latency },
  ]
}

/** The note states the assumption that the amount is based on. */
function savedAmount(saved: AgentBroker['saved'], routes: number) {
  if (routes === 0) return unknownAmount(texts.broker.noRoutes)
  if (saved === null) return unknownAmount(texts.broker.noPricedLlm)
  const { cents, allLlmCents, llmRouteCents, llmRoutes } = saved
  const note = texts.broker.saved(formatCents(allLlmCents), formatUnitPrice(llmRouteCents), llmRoutes)
  return { value: formatCents(cents), note }
}

/** Routes by handler type; `other` is left out if it has no routes. */
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
