import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { dayMs, isoDay, utcDay, utcMonth } from '../agent-time.ts'
import { choice, day } from '../../../lib/list/view-filter.ts'
import { texts } from '../agents.texts.ts'

/** The period that a view shows. */
export interface ViewPeriod {
  period: AgentPeriod
  /** The first and last day of a `range`, in UTC: `2026-11-21`; null is today. */
  from: string | null
  to: string | null
}

/** The period as fields of a filter. */
export const periodFields = (offered: readonly AgentPeriod[], defaultPeriod: AgentPeriod) => ({
  period: choice(offered, defaultPeriod),
  from: day,
  to: day,
})

/** Only a range has days. */
export const daysOfRange = <Filter extends ViewPeriod>(filter: Filter): Filter =>
  filter.period === 'range' ? filter : { ...filter, from: null, to: null }

/** The initial range: the last seven days. */
export function firstRange(now: number): ViewPeriod {
  return { period: 'range', from: isoDay(now - 6 * dayMs), to: isoDay(now) }
}

const labels: Partial<Record<AgentPeriod, string>> = texts.cost.period.segments

export function periodLabel(period: AgentPeriod, now: number): string {
  return period === 'month' ? utcMonth(now) : (labels[period] ?? period)
}

interface Time {
  from: string
  to: string
}

/** Completes "Spent …": `today`, `in November`, `3 Nov to 9 Nov`. */
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
