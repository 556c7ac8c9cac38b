import type { ExpectedSpend, Spend } from '../../../shared/contracts/desk-agents-common.ts'
import type { SpendRow } from '../../../shared/contracts/desk-agents-cost.ts'
import type { CostCells, CostTape } from './cost-tape.ts'
import { dayMs, hourMs, iso, startOfDay } from './times.ts'
import type { TimeSpan } from './times.ts'

// All money of the views is counted here, over the same rows.

export interface SpendFilter extends TimeSpan {
  /** Code of the one agent that counts; null for all. */
  agent: number | null
}

export function eachCost(
  costs: CostTape,
  filter: SpendFilter,
  visit: (cells: CostCells, index: number) => void,
): void {
  const { from, to, agent } = filter
  for (const { cells, keys } of costs.tape.blocks) {
    const { at } = cells
    for (let index = 0; index < keys.length; index += 1) {
      const when = at[index] ?? Number.NaN
      if (when >= from && when < to && (agent === null || cells.agent[index] === agent)) visit(cells, index)
    }
  }
}

/** What calls have cost together. */
export class SpendSum {
  calls = 0
  unpriced = 0
  private cents = 0
  private tokensIn: number | null = null
  private tokensOut: number | null = null

  add(cells: CostCells, index: number): void {
    this.calls += 1
    const cents = cells.cents[index] ?? Number.NaN
    if (Number.isNaN(cents)) this.unpriced += 1
    else this.cents += cents
    const tokensIn = cells.tokensIn[index] ?? Number.NaN
    const tokensOut = cells.tokensOut[index] ?? Number.NaN
    if (!Number.isNaN(tokensIn)) this.tokensIn = (this.tokensIn ?? 0) + tokensIn
    if (!Number.isNaN(tokensOut)) this.tokensOut = (this.tokensOut ?? 0) + tokensOut
  }

  /** For sorting: what is known to be spent. */
  get known(): number {
    return this.cents
  }

  toSpend(): Spend {
    const isUnknown = this.calls > 0 && this.calls === this.unpriced
    return { cents: isUnknown ? null : roundCents(this.cents), calls: this.calls, unpriced: this.unpriced }
  }

  toRow(name: string | null): SpendRow {
    return { name, spend: this.toSpend(), tokensIn: this.tokensIn, tokensOut: this.tokensOut }
  }
}

/** Where the database keeps no calls nothing is known of them. */
export const unknownSpend: Spend = { cents: null, calls: 0, unpriced: 0 }

/** A million additions of fractions leave dust behind the sixth place. */
export function roundCents(cents: number): number {
  return Math.round(cents * 1e6) / 1e6
}

export function sumOf(costs: CostTape, filter: SpendFilter): SpendSum {
  const sum = new SpendSum()
  eachCost(costs, filter, (cells, index) => sum.add(cells, index))
  return sum
}

export function spendOf(costs: CostTape, filter: SpendFilter): Spend {
  return costs.tape.isThere ? sumOf(costs, filter).toSpend() : unknownSpend
}

/** Whole days before today that a pace is computed from, at most. */
const paceDays = 14

/** How much is spent in the course of days. */
export interface Pace {
  /** Whole days that it comes from. */
  days: number
  /** Expected between two moments that are not over. */
  between(from: number, to: number): number
  /** How far the days differ: the standard deviation of one. */
  deviation: number
}

/** Null where fewer than two whole days are known. */
export function paceOf(costs: CostTape, agent: number | null, now: number): Pace | null {
  const today = startOfDay(now)
  const from = today - paceDays * dayMs
  const first = firstDayOf(costs, agent)
  // The day of the very first call is not a whole one.
  const start = Math.max(from, first + dayMs)
  const days = Math.round((today - start) / dayMs)
  if (!(days >= 2)) return null
  const byDay = new Float64Array(days)
  const byHour = new Float64Array(24)
  eachCost(costs, { from: start, to: today, agent }, (cells, index) => {
    const cents = cells.cents[index] ?? Number.NaN
    if (Number.isNaN(cents)) return
    const at = cells.at[index] ?? 0
    const day = Math.floor((at - start) / dayMs)
    const hour = Math.floor((at % dayMs) / hourMs)
    byDay[day] = (byDay[day] ?? 0) + cents
    byHour[hour] = (byHour[hour] ?? 0) + cents
  })
  const mean = byDay.reduce((sum, cents) => sum + cents, 0) / days
  const deviation = Math.sqrt(byDay.reduce((sum, cents) => sum + (cents - mean) ** 2, 0) / (days - 1))
  /** With two whole weeks each day of the week has its own mean. */
  const meanOf = (day: number): number => {
    if (days < paceDays) return mean
    const offset = Math.round((day - start) / dayMs) % 7
    return ((byDay[offset] ?? 0) + (byDay[offset + 7] ?? 0)) / 2
  }
  return {
    days,
    deviation,
    between(begin, end) {
      let sum = 0
      for (let at = Math.max(begin, now); at < end;) {
        const isToday = at < today + dayMs
        const slot = isToday ? hourMs : dayMs
        const next = Math.min(end, Math.floor(at / slot) * slot + slot)
        const whole = isToday
          ? (byHour[Math.floor((at % dayMs) / hourMs)] ?? 0) / days
          : meanOf(startOfDay(at))
        sum += (whole * (next - at)) / slot
        at = next
      }
      return sum
    },
  }
}

function firstDayOf(costs: CostTape, agent: number | null): number {
  let first = Infinity
  eachCost(costs, { from: -Infinity, to: Infinity, agent }, ({ at }, index) => {
    first = Math.min(first, at[index] ?? Infinity)
  })
  return startOfDay(first)
}

/** Four of five times the sum lies within so many standard deviations. */
const fourOfFive = 1.28

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
