import { maxAgentNameCharacters } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import { choice, day, flag, named, viewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { dayMs, isoDay, utcDay, utcMonth } from '../agent-time.ts'
import { texts } from '../agents.texts.ts'

/** The period that a view shows. */
export interface ViewPeriod {
  period: AgentPeriod
  /** The first and last day of a `range`, in UTC: `2026-11-21`; null is today. */
  from: string | null
  to: string | null
}

/** The period as fields of a filter. */
const periodFields = (offered: readonly AgentPeriod[], defaultPeriod: AgentPeriod) => ({
  period: choice(offered, defaultPeriod),
  from: day,
  to: day,
})

/** Only a range has days. */
const daysOfRange = <Filter extends ViewPeriod>(filter: Filter): Filter =>
  filter.period === 'range' ? filter : { ...filter, from: null, to: null }

export const costPeriods: readonly AgentPeriod[] = ['today', '7 days', 'month', 'range']

/**
 * The filter of the cost view: a period, one agent or all, the grouping of calls, and whether to list only budgets that
 * have reached their alert threshold.
 */
export const costFilter = viewFilter(
  '/agents/cost',
  {
    ...periodFields(costPeriods, 'month'),
    agent: named(maxAgentNameCharacters),
    by: choice(['model', 'agent'], 'model'),
    marked: flag(),
  },
  daysOfRange,
)
export type CostFilter = typeof costFilter.defaults
export type CostState = FilterState<CostFilter>

const events = ['period', 'from', 'to', 'agent'] as const

/** Query parameters of the figures and the chart, of the calls, and of the budgets. */
export const costQuery = (filter: CostFilter) => costFilter.query(filter, [...events, 'by'])
export const eventQuery = (filter: CostFilter) => costFilter.query(filter, events)
export const budgetQuery = (filter: CostFilter) => costFilter.query(filter, ['agent', 'marked'])

export const brokerPeriods: readonly AgentPeriod[] = ['hour', 'today', '7 days', '30 days', 'range']

/** The filter of the broker view; type and handler only filter the decisions. */
export const brokerFilter = viewFilter(
  '/agents/broker',
  {
    ...periodFields(brokerPeriods, 'today'),
    type: choice(handlerTypes, null),
    handler: named(maxAgentNameCharacters),
  },
  daysOfRange,
)
type BrokerFilter = typeof brokerFilter.defaults
export type BrokerState = FilterState<BrokerFilter>

/** Query parameters of the figures and charts; the decisions use the whole filter. */
export const brokerQuery = (filter: BrokerFilter) => brokerFilter.query(filter, ['period', 'from', 'to'])

/** The initial range: the last seven days. */
export function firstRange(now: number): ViewPeriod {
  return { period: 'range', from: isoDay(now - 6 * dayMs), to: isoDay(now) }
}

const labels: Partial<Record<AgentPeriod, string>> = texts.cost.period.segments

export function periodLabel(period: AgentPeriod, now: number): string {
  return period === 'month' ? utcMonth(now) : (labels[period] ?? period)
}

/** From the first instant to the one after the last. */
export interface Time {
  from: string
  to: string
}

/** Completes "Spent …": `today`, `in November`, `from 3 Nov to 9 Nov`. */
export function periodPhrase(period: AgentPeriod, { from, to }: Time, now: number): string {
  const phrases = texts.cost.period.phrases
  if (period === 'today') return phrases.today
  if (period === 'hour') return phrases.hour
  if (period === 'month') return phrases.month(utcMonth(from))
  if (period !== 'range') return phrases.last(period)
  const last = Date.parse(to) - 1
  if (isoDay(last) === isoDay(from)) return phrases.on(utcDay(from, now))
  return phrases.range(utcDay(from, now), utcDay(last, now))
}

/** Completes "Forecast by …". */
export function periodEnd({ to }: Time, now: number): string {
  const last = Date.parse(to) - 1
  return isoDay(last) === isoDay(now) ? texts.cost.period.midnight : utcDay(last, now)
}

export function daysOf({ from, to }: Time): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
