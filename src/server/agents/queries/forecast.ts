import type { AgentState, ExpectedSpend, Spend } from '../../../shared/contracts/desk-agents-common.ts'
import { dayMs, hourMs, iso, startOfDay } from './times.ts'

// All forecasts of the views are computed here.

/** Whole days before today that a forecast is computed from, at most. */
const mostDays = 14

/** Agents that are paused, stopped or crashed are not expected to spend more; those without a known state may run. */
export const goesOnSpending = (state: AgentState | null): boolean =>
  state === null || state === 'running' || state === 'unknown'

/** A million additions of fractions leave dust behind the sixth place. */
export const roundCents = (cents: number): number => Math.round(cents * 1e6) / 1e6

/** The whole days to forecast from, up to today; null where there are fewer than two. `first` is when the first call was. */
export function wholeDays(
  first: number | null,
  now: number,
): { from: number; to: number; days: number } | null {
  if (first === null) return null
  const to = startOfDay(now)
  // The day of the very first call is not a whole one.
  const from = Math.max(to - mostDays * dayMs, startOfDay(first) + dayMs)
  const days = Math.round((to - from) / dayMs)
  return days >= 2 ? { from, to, days } : null
}

/** How much is spent in the course of days. */
export interface Pace {
  /** Whole days that it comes from. */
  days: number
  /** Expected between two moments, of which only what is still to come counts. */
  between(from: number, to: number): number
  /** How far the days differ: the standard deviation of one. */
  deviation: number
}

/** What each hour has cost that begins at `at`, within these days. */
export function paceFrom(
  hours: readonly { at: number; cents: number }[],
  { from, to: today, days }: { from: number; to: number; days: number },
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
  /** With two whole weeks each day of the week has its own mean. */
  const meanOf = (day: number): number => {
    if (days < mostDays) return mean
    const offset = Math.round((day - from) / dayMs) % 7
    return ((byDay[offset] ?? 0) + (byDay[offset + 7] ?? 0)) / 2
  }
  return {
    days,
    deviation,
    between(begin, end) {
      let sum = 0
      for (let at = Math.max(begin, now); at < end;) {
        // The hours of today are told apart; later days are even.
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

/** In four of five cases the sum is within this many standard deviations. */
const fourOfFive = 1.28

/** What will have been spent at `until`, and the range that it is likely in. */
export function expectedOf(
  pace: Pace | null,
  spent: Spend,
  now: number,
  until: number,
): ExpectedSpend | null {
  if (pace === null || spent.cents === null || until <= now) return null
  const cents = spent.cents + pace.between(now, until)
  const spread = fourOfFive * pace.deviation * Math.sqrt((until - now) / dayMs)
  return {
    cents: roundCents(cents),
    lowCents: roundCents(Math.max(spent.cents, cents - spread)),
    highCents: roundCents(cents + spread),
    days: pace.days,
    until: iso(until),
  }
}
