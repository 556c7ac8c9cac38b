import { agentPeriods } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { utcDay, utcMonth } from '../agent-time.ts'

/** The time that a view is about; it stands in the address. */
export interface ViewPeriod {
  period: AgentPeriod
  /** With `range`: its first and last day in UTC, `2026-11-21`; null is today. */
  from: string | null
  to: string | null
}

export const day = 86_400_000

export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** One of those that the view offers; anything else is what it usually shows. */
export function readPeriod(search: string, offered: readonly AgentPeriod[], usual: AgentPeriod): ViewPeriod {
  const params = new URLSearchParams(search)
  const named = agentPeriods.find((period) => period === params.get('period'))
  const period = named !== undefined && offered.includes(named) ? named : usual
  if (period !== 'range') return { period, from: null, to: null }
  return { period, from: readDay(params.get('from')), to: readDay(params.get('to')) }
}

/** For the server, which has a usual time of its own. */
export function periodQuery({ period, from, to }: ViewPeriod) {
  return { period, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }
}

/** For the address; what the view usually shows is left out. */
export function periodParams(view: ViewPeriod, usual: AgentPeriod): Record<string, string | null> {
  return { period: view.period === usual ? null : view.period, from: view.from, to: view.to }
}

/** The range that is offered first: the last seven days. */
export function firstRange(now: number): ViewPeriod {
  return { period: 'range', from: isoDay(now - 6 * day), to: isoDay(now) }
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
  return Math.round((Date.parse(to) - Date.parse(from)) / day)
}

function readDay(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d\d-\d\d$/.test(value)) return null
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && isoDay(at.getTime()) === value ? value : null
}
