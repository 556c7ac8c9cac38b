import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { utcDay, utcMonth } from '../agent-time.ts'
import { choice, day } from '../../../lib/list/view-filter.ts'

/** The time that a view is about. */
export interface ViewPeriod {
  period: AgentPeriod
  /** With `range`: its first and last day in UTC, `2026-11-21`; null is today. */
  from: string | null
  to: string | null
}

const dayMs = 86_400_000

export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
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

export function periodLabel(period: AgentPeriod, now: number): string {
  if (period === 'month') return utcMonth(now)
  const labels = {
    hour: 'Last hour',
    today: 'Today',
    '7 days': '7 days',
    '30 days': '30 days',
    range: 'Range…',
  }
  return labels[period]
}

interface Time {
  from: string
  to: string
}

/** Completes "Spent …": `today`, `in November`, `3 to 9 Nov`. */
export function timeWords(period: AgentPeriod, time: Time, now: number): string {
  switch (period) {
    case 'hour':
      return 'in the last hour'
    case 'today':
      return 'today'
    case '7 days':
    case '30 days':
      return `in ${period}`
    case 'month':
      return `in ${utcMonth(Date.parse(time.from))}`
    case 'range':
      return rangeWords(time, now)
    default:
      return period satisfies never
  }
}

function rangeWords({ from, to }: Time, now: number): string {
  const last = Date.parse(to) - 1
  if (isoDay(last) === from.slice(0, 10)) return `on ${utcDay(from, now)}`
  return `${utcDay(from, now)} to ${utcDay(last, now)}`
}

/** Completes "Expected by …". */
export function endWords({ to }: Time, now: number): string {
  const last = Date.parse(to) - 1
  return isoDay(last) === isoDay(now) ? 'midnight UTC' : utcDay(last, now)
}

export function daysOf({ from, to }: Time): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
