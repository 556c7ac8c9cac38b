import type { ReactNode } from 'react'
import type { AgentCost } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentPeriod, AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount, listWords, plural } from '../../../lib/format.ts'
import { formatCents } from './money.ts'
import { daysOf, periodEnd, periodPhrase } from './period.ts'

/** What it is, the amount, and how that is known. */
export interface Figure {
  label: string
  value: string
  note: ReactNode
  /** The view that tells more. */
  href?: string
}

/** Why a sum is not known (yet). */
export function whyUnknown({ counting, missingTables, sentence }: AgentStamp, table: string): string {
  if (counting !== null) {
    return `counting: ${formatCount(counting.done)} of ${formatCount(counting.total)} rows`
  }
  if (missingTables.includes(table)) return `the database has no table ${table}`
  return sentence ?? 'nothing is known of it'
}

export const unknownFigure = (label: string, note: string): Figure => ({ label, value: 'unknown', note })

/** The four figures of the cost, for a time and one agent or all. */
export function costFigures(cost: AgentCost, period: AgentPeriod, now: number): Figure[] {
  const { time } = cost
  return [
    spentFigure(`Spent ${periodPhrase(period, time, now)}`, cost, now),
    expectedFigure(`Expected by ${periodEnd(time, now)}`, cost, now),
    budgetsFigure('Budgets together', cost),
    unpricedFigure('Without a price', cost),
  ]
}

function spentFigure(label: string, { spent, chart, stamp }: AgentCost, now: number): Figure {
  if (spent === null) return unknownFigure(label, whyUnknown(stamp, 'cost_events'))
  const days =
    chart?.bucket === 'day' ? chart.buckets.filter(({ from }) => Date.parse(from) <= now).length : 0
  const calls = plural(spent.calls - spent.unpriced, 'priced call')
  return {
    label,
    value: formatCents(spent.cents),
    note: days > 1 ? `${plural(days, 'day')}, ${calls}` : calls,
  }
}

function expectedFigure(label: string, { expected, time, spent }: AgentCost, now: number): Figure {
  if (Date.parse(time.to) <= now) return { label, value: 'over', note: 'this time has ended' }
  if (expected === null) {
    return unknownFigure(
      label,
      spent === null ? 'what was spent is not known' : 'fewer than 2 whole days are known',
    )
  }
  const { cents, lowCents, highCents, days } = expected
  const note = `between ${formatCents(lowCents)} and ${formatCents(highCents)}, from ${plural(days, 'day')}`
  return { label, value: formatCents(cents), note }
}

function budgetsFigure(label: string, { budgetsCents, time, stamp }: AgentCost): Figure {
  if (budgetsCents !== null) {
    return { label, value: formatCents(budgetsCents), note: `all scaled to ${plural(daysOf(time), 'day')}` }
  }
  return stamp.missingTables.includes('cost_budgets')
    ? unknownFigure(label, whyUnknown({ ...stamp, counting: null }, 'cost_budgets'))
    : { label, value: 'none', note: 'no budget with a known amount and period' }
}

function unpricedFigure(label: string, { unpriced, spent, stamp }: AgentCost): Figure {
  if (spent === null) return unknownFigure(label, whyUnknown(stamp, 'cost_events'))
  const { calls, models, tokensIn, tokensOut } = unpriced
  const value = plural(calls, 'call')
  if (calls === 0) return { label, value, note: spent.calls === 0 ? 'there was none' : 'each has one' }
  const tokens = tokensIn === null && tokensOut === null ? null : (tokensIn ?? 0) + (tokensOut ?? 0)
  const named = models.map((model) => model ?? 'no named model')
  const names = named.length <= 2 ? listWords(named) : `${named[0] ?? ''} and ${named.length - 1} more models`
  return { label, value, note: `${tokenAmount(tokens)} of ${names}; not counted as $0` }
}

const million = 1_000_000

/** How the numbers of one table are written, all in the same unit: `48.1 M`, or exactly. */
export function tokenFormat(column: readonly (number | null)[]): (tokens: number | null) => string {
  const most = column.reduce<number>((top, tokens) => Math.max(top, tokens ?? 0), 0)
  return (tokens) => {
    if (tokens === null) return 'unknown'
    return most < million ? formatCount(tokens) : inMillions(tokens)
  }
}

/** One amount in a sentence: `1.1 M tokens`. */
export function tokenAmount(tokens: number | null): string {
  if (tokens === null) return 'an unknown number of tokens'
  return `${tokenFormat([tokens])(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`
}

function inMillions(tokens: number): string {
  if (tokens > 0 && tokens < million / 20) return '<0.1 M'
  return `${(tokens / million).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} M`
}
