import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { formatCents } from './money.ts'
import { texts } from '../agents.texts.ts'

/** The end of the bar, in percent of the budget. */
const barEnd = 125

const forecastPercent = ({ expectedCents, budgetCents }: AgentBudget): number | null =>
  expectedCents === null || budgetCents === null || budgetCents <= 0
    ? null
    : (expectedCents * 100) / budgetCents

/** Positions in percent of the bar's length; null if unknown. */
export function barPlaces(budget: AgentBudget) {
  const onBar = (percent: number | null): number | null =>
    percent === null ? null : (Math.min(Math.max(percent, 0), barEnd) * 100) / barEnd
  return {
    spent: onBar(budget.usedPercent),
    forecast: onBar(forecastPercent(budget)),
    threshold: onBar(budget.alertAt),
    limit: (100 * 100) / barEnd,
  }
}

/** Whole percents, rounded down: 99.9 is not 100. */
export function formatUsed(percent: number | null): string {
  if (percent === null) return texts.unknown
  return percent > 0 && percent < 1 ? '<1%' : `${Math.floor(percent)}%`
}

/** Says that a budget has reached its alert threshold or its limit; null if it has not. */
export function thresholdNote({ mark, alertAt }: AgentBudget): string | null {
  if (mark === 'over') return texts.budgets.over
  return mark === 'passed' ? texts.budgets.reached(alertAt ?? 0) : null
}

/** The forecast for the end of the period, and whether it exceeds the budget. */
export function forecastOf({ expectedCents, budgetCents, state }: AgentBudget) {
  if (expectedCents !== null) {
    return { text: formatCents(expectedCents), isOver: budgetCents !== null && expectedCents > budgetCents }
  }
  const isInactive = state === 'paused' || state === 'stopped' || state === 'crashed'
  return { text: isInactive ? state : texts.unknown, isOver: false }
}

/** The bar's text alternative. */
export function barLabel(budget: AgentBudget): string {
  const { usedPercent, alertAt } = budget
  const forecast = forecastPercent(budget)
  const labels = texts.budgets.bar
  return [
    usedPercent === null ? labels.unknown : labels.used(formatUsed(usedPercent)),
    alertAt === null ? labels.noThreshold : labels.threshold(alertAt),
    ...(forecast === null ? [] : [labels.forecast(formatUsed(forecast))]),
  ].join(', ')
}
