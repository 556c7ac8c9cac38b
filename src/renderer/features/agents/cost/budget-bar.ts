import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { formatCents } from './money.ts'

/** The end of a budget's bar, in percent of the budget. */
export const barEnd = 125

/** Places on the bar in percent of its length; null where there is nothing to draw. */
export interface BarPlaces {
  spent: number | null
  expected: number | null
  mark: number | null
  limit: number
}

const expectedPercent = ({ expectedCents, budgetCents }: AgentBudget): number | null =>
  expectedCents === null || budgetCents === null || budgetCents <= 0
    ? null
    : (expectedCents * 100) / budgetCents

export function barPlaces(budget: AgentBudget): BarPlaces {
  const onBar = (percent: number | null): number | null =>
    percent === null ? null : (Math.min(Math.max(percent, 0), barEnd) * 100) / barEnd
  return {
    spent: onBar(budget.usedPercent),
    expected: onBar(expectedPercent(budget)),
    mark: onBar(budget.alertAt),
    limit: (100 * 100) / barEnd,
  }
}

/** Whole percents that were reached: 99.9 is not 100. */
export function formatUsed(percent: number | null): string {
  if (percent === null) return 'unknown'
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.floor(percent)} %`
}

/** What its mark says, where it says something. */
export function thresholdNote({ mark, alertAt }: AgentBudget): string | null {
  if (mark === 'over') return 'over its budget'
  return mark === 'passed' ? `passed its mark of ${alertAt ?? 0} %` : null
}

/** What is expected at the end of the period, and whether that is more than the budget. */
export function forecastOf({ expectedCents, budgetCents, state }: AgentBudget): {
  text: string
  isOver: boolean
} {
  if (expectedCents !== null) {
    return { text: formatCents(expectedCents), isOver: budgetCents !== null && expectedCents > budgetCents }
  }
  const isResting = state === 'paused' || state === 'stopped' || state === 'crashed'
  return { text: isResting ? state : 'unknown', isOver: false }
}

/** The bar in words. */
export function barLabel(budget: AgentBudget): string {
  const { usedPercent, alertAt } = budget
  const expected = expectedPercent(budget)
  return [
    usedPercent === null ? 'used: unknown' : `${formatUsed(usedPercent)} used`,
    alertAt === null ? 'no known alert mark' : `alert mark at ${alertAt} %`,
    ...(expected === null ? [] : [`${formatUsed(expected)} expected`]),
  ].join(', ')
}
