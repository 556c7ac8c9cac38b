import type { AgentQuery } from '../../../shared/contracts/desk-agents.ts'

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
const bucketMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const

/** `to` is exclusive. */
export interface TimeSpan {
  from: number
  to: number
}

export type PeriodParams = AgentQuery<'getAgentBroker'>

const maxRangeDays = 366

export const startOfDay = (at: number): number => Math.floor(at / dayMs) * dayMs
export const iso = (at: number): string => new Date(at).toISOString()
export const isoOf = (at: number | null): string | null => (at === null ? null : iso(at))

/** Start of the day, week or month containing a moment, in UTC; null for other units. */
export function calendarStart(unit: string, now: number): number | null {
  const date = new Date(now)
  if (unit === 'day') return startOfDay(now)
  // Weeks begin on Monday.
  if (unit === 'week') return startOfDay(now) - ((date.getUTCDay() + 6) % 7) * dayMs
  return unit === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) : null
}

/** The period a query names, in UTC. Days and months are complete, including their future part. */
export function spanOf({ period, from, to }: PeriodParams, now: number): TimeSpan {
  const today = startOfDay(now)
  const date = new Date(now)
  switch (period) {
    case 'hour':
      return { from: now - hourMs, to: now }
    case 'today':
      return { from: today, to: today + dayMs }
    case '7 days':
      return { from: today - 6 * dayMs, to: today + dayMs }
    case '30 days':
      return { from: today - 29 * dayMs, to: today + dayMs }
    case 'month':
      return {
        from: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
        to: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
      }
    case 'range':
      return rangeOf(from, to, today)
    default:
      return period satisfies never
  }
}

/** Days in either order; a missing one is today. */
function rangeOf(from: string | undefined, to: string | undefined, today: number): TimeSpan {
  const one = from === undefined ? today : Date.parse(from)
  const other = to === undefined ? today : Date.parse(to)
  const first = Math.min(one, other)
  const last = Math.min(Math.max(one, other), first + (maxRangeDays - 1) * dayMs)
  return { from: first, to: last + dayMs }
}

/** Hourly buckets for up to two days, otherwise daily. */
export const bucketsOf = (span: TimeSpan) =>
  bucketsBy(span.to - span.from <= 2 * dayMs ? 'hour' : 'day', span)

/** Buckets aligned to whole minutes, hours or days. */
export function bucketsBy<Bucket extends keyof typeof bucketMs>(bucket: Bucket, { from, to }: TimeSpan) {
  const ms = bucketMs[bucket]
  const starts: number[] = []
  for (let at = Math.floor(from / ms) * ms; at < to; at += ms) starts.push(at)
  return { bucket, ms, starts }
}
