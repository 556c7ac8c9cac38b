import type { AgentState, ExpectedSpend, Spend } from '../../../shared/contracts/desk-agents-common.ts'
import { dayMs, hourMs, iso, startOfDay } from './times.ts'
import type { TimeSpan } from './times.ts'

// All forecasts of the views are computed here.

/** Maximum number of whole days before today to forecast from. */
const maxDays = 14

/** Paused, stopped and crashed agents are not expected to spend more; those in an unknown state may be running. */
export const keepsSpending = (state: AgentState | null): boolean =>
  state === null || state === 'running' || state === 'unknown'

/** A million additions of fractions accumulate errors beyond the sixth decimal place. */
export const roundCents = (cents: number): number => Math.round(cents * 1e6) / 1e6

/** The whole days to forecast from, up to today. */
interface WholeDays extends TimeSpan {
  days: number
}

/** Null if there are fewer than two. `first` is the time of the first call. */
export function wholeDays(first: number | null, now: number): WholeDays | null {
  if (first === null) return null
  const to = startOfDay(now)
  // The day of the very first call is not a whole day.
  const from = Math.max(to - maxDays * dayMs, startOfDay(first) + dayMs)
  const days = Math.round((to - from) / dayMs)
  return days >= 2 ? { from, to, days } : null
}

/** The usual spending over the course of days. */
export interface Pace {
  /** Whole days it was computed from. */
  days: number
  /** Forecast for the time between two moments, as far as it is in the future. */
  between(from: number, to: number): number
  /** Standard deviation of the spending per day. */
  deviation: number
}

/** The pace from the cost of each hour (starting at `at`) within these days. */
export function paceFrom(
  hours: readonly { at: number; cents: number }[],
  { from, to: today, days }: WholeDays,
  now: number,
): Pace {
  const byDay = new Float64Array(days)
  const byHour = new Float64Array(24)
  for (const { at, cents } of hours) {
    const day = Math.floor((at - from) / dayMs)
    const hour = Math.floor((at - startOfDay(at)) / hourMs)
    byDay[day] = (byDay[day] ?? 0) + cents
    byHour[hour] = (byHour[hour] ?? 0) + cents
  }
  const mean = byDay.reduce((sum, cents) => sum + cents, 0) / days
  const deviation = Math.sqrt(byDay.reduce((sum, cents) => sum + (cents - mean) ** 2, 0) / (days - 1))
  /** With two whole weeks, each weekday has its own mean. */
  const meanOf = (day: number): number => {
    if (days < maxDays) return mean
    const offset = Math.round((day - from) / dayMs) % 7
    return ((byDay[offset] ?? 0) + (byDay[offset + 7] ?? 0)) / 2
  }
  return {
    days,
    deviation,
    between(begin, end) {
      let sum = 0
      for (let at = Math.max(begin, now); at < end;) {
        // Today is forecast by the hour; spending on later days is spread evenly.
        const isToday = at < today + dayMs
        const slot = isToday ? hourMs : dayMs
        const next = Math.min(end, Math.floor(at / slot) * slot + slot)
        const whole = isToday
          ? (byHour[Math.floor((at - today) / hourMs)] ?? 0) / days
          : meanOf(startOfDay(at))
        sum += (whole * (next - at)) / slot
        at = next
      }
      return sum
    },
  }
}

/** Number of standard deviations around the mean that cover four out of five cases. */
const rangeDeviations = 1.28

/** The forecast of the total spending at `until`, with its likely range. */
export function forecastSpend(
  pace: Pace | null,
  spent: Spend,
  now: number,
  until: number,
): ExpectedSpend | null {
  if (pace === null || spent.cents === null || until <= now) return null
  const cents = spent.cents + pace.between(now, until)
  const spread = rangeDeviations * pace.deviation * Math.sqrt((until - now) / dayMs)
  return {
    cents: roundCents(cents),
    lowCents: roundCents(Math.max(spent.cents, cents - spread)),
    highCents: roundCents(cents + spread),
    days: pace.days,
    until: iso(until),
  }
}
