import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { dayMs, isoDay, utcDay, utcMonth } from '../agent-time.ts'
import { choice, day } from '../../../lib/list/view-filter.ts'

/** The time that a view is about. */
export interface ViewPeriod {
  period: AgentPeriod
  /** With `range`: its first and last day in UTC, `2026-11-21`; null is today. */
  from: string | null
  to: string | null
}

/** The same as fields of a filter. */
export const periodFields = (offered: readonly AgentPeriod[], usual: AgentPeriod) => ({
  period: choice(offered, usual),
  from: day,
  to: day,
})

/** Days count with a range only. */
export const daysOfRange = <Filter extends ViewPeriod>(filter: Filter): Filter =>
  filter.period === 'range' ? filter : { ...filter, from: null, to: null }

/** The range that is offered first: the last seven days. */
export function firstRange(now: number): ViewPeriod {
  return { period: 'range', from: isoDay(now - 6 * dayMs), to: isoDay(now) }
}

const labels: Partial<Record<AgentPeriod, string>> = { hour: 'Last hour', today: 'Today', range: 'Range…' }

export function periodLabel(period: AgentPeriod, now: number): string {
  return period === 'month' ? utcMonth(now) : (labels[period] ?? period)
}

interface Time {
  from: string
  to: string
}

/** Completes "Spent …": `today`, `in November`, `3 to 9 Nov`. */
export function periodPhrase(period: AgentPeriod, { from, to }: Time, now: number): string {
  if (period === 'today') return 'today'
  if (period === 'hour') return 'in the last hour'
  if (period === 'month') return `in ${utcMonth(from)}`
  if (period !== 'range') return `in ${period}`
  const last = Date.parse(to) - 1
  if (isoDay(last) === isoDay(from)) return `on ${utcDay(from, now)}`
  return `${utcDay(from, now)} to ${utcDay(last, now)}`
}

/** Completes "Expected by …". */
export function periodEnd({ to }: Time, now: number): string {
  const last = Date.parse(to) - 1
  return isoDay(last) === isoDay(now) ? 'midnight UTC' : utcDay(last, now)
}

export function daysOf({ from, to }: Time): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
