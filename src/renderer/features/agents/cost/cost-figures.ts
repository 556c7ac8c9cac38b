import type { ReactNode } from 'react'
import type { AgentCost } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentPeriod, AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatCents } from './money.ts'
import { daysOf, periodEnd, periodPhrase } from './period.ts'
import { names, texts } from '../agents.texts.ts'

/** A key figure: its label, its value, and a note on how it was calculated. */
export interface Figure {
  label: string
  value: string
  note: ReactNode
  /** The view with the details. */
  href?: string
}

/** Why a total is unknown. */
export function whyUnknown({ counting, missingTables, sentence }: AgentStamp, table: string): string {
  if (counting !== null) return texts.cost.why.counting(counting.done, counting.total)
  if (missingTables.includes(table)) return texts.cost.why.missingTable(table)
  return sentence ?? texts.cost.why.noData
}

type Amount = Pick<Figure, 'value' | 'note'>

export const unknownAmount = (note: string): Amount => ({ value: texts.unknown, note })

/** The key figures of the cost in a period, for one agent or all. */
export function costFigures(cost: AgentCost, period: AgentPeriod, now: number): Figure[] {
  const { time } = cost
  const labels = texts.cost.figures
  return [
    { label: labels.spent(periodPhrase(period, time, now)), ...spentAmount(cost, now) },
    { label: labels.forecast(periodEnd(time, now)), ...forecastAmount(cost, now) },
    { label: labels.budgets, ...budgetsAmount(cost) },
    { label: names.unpriced, ...unpricedAmount(cost) },
  ]
}

function spentAmount({ spent, chart, stamp }: AgentCost, now: number): Amount {
  if (spent === null) return unknownAmount(whyUnknown(stamp, 'cost_events'))
  const days =
    chart?.bucket === 'day' ? chart.buckets.filter(({ from }) => Date.parse(from) <= now).length : 0
  const calls = texts.cost.pricedCalls(spent.calls - spent.unpriced)
  return { value: formatCents(spent.cents), note: days > 1 ? texts.cost.days(days, calls) : calls }
}

function forecastAmount({ expected, time, spent }: AgentCost, now: number): Amount {
  if (Date.parse(time.to) <= now) return { value: texts.cost.ended, note: texts.cost.periodOver }
  if (expected === null)
    return unknownAmount(spent === null ? texts.cost.spendUnknown : texts.cost.tooFewDays)
  const { cents, lowCents, highCents, days } = expected
  const note = texts.cost.forecastRange(formatCents(lowCents), formatCents(highCents), days)
  return { value: formatCents(cents), note }
}

function budgetsAmount({ budgetsCents, time, stamp }: AgentCost): Amount {
  if (budgetsCents !== null)
    return { value: formatCents(budgetsCents), note: texts.cost.scaled(daysOf(time)) }
  return stamp.missingTables.includes('cost_budgets')
    ? unknownAmount(whyUnknown({ ...stamp, counting: null }, 'cost_budgets'))
    : { value: texts.none, note: texts.cost.noBudgets }
}

function unpricedAmount({ unpriced, spent, stamp }: AgentCost): Amount {
  if (spent === null) return unknownAmount(whyUnknown(stamp, 'cost_events'))
  const { calls, models, tokensIn, tokensOut } = unpriced
  const value = texts.cost.calls(calls)
  if (calls === 0) return { value, note: spent.calls === 0 ? texts.cost.noCalls : texts.cost.allPriced }
  const tokens = tokensIn === null && tokensOut === null ? null : (tokensIn ?? 0) + (tokensOut ?? 0)
  return { value, note: texts.cost.unpricedTokens(tokenAmount(tokens), models) }
}

const million = 1_000_000

/** Formats the token counts of a table column in one unit: all in millions, such as `48.1M`, or all exactly. */
export function tokenFormat(column: readonly (number | null)[]): (tokens: number | null) => string {
  const max = column.reduce<number>((top, tokens) => Math.max(top, tokens ?? 0), 0)
  return (tokens) => {
    if (tokens === null) return texts.unknown
    return max < million ? formatCount(tokens) : inMillions(tokens)
  }
}

/** One amount in a sentence: `1.1M tokens`. */
export function tokenAmount(tokens: number | null): string {
  if (tokens === null) return texts.cost.unknownTokens
  return `${tokenFormat([tokens])(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`
}

function inMillions(tokens: number): string {
  if (tokens > 0 && tokens < million / 20) return '<0.1M'
  return `${(tokens / million).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })}M`
}
