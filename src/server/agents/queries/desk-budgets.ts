import type { AgentBudget } from '../../../shared/contracts/desk-agents-cost.ts'
import type { AgentAnswer } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { pageOf, viewQuery, where } from './desk-query.ts'
import type { ViewParams } from './desk-query.ts'
import { keepsSpending, roundCents } from './forecast.ts'
import { dailyCents } from './spend.ts'
import { calendarStart, dayMs, isoOf } from './times.ts'

interface BudgetRow extends Omit<AgentBudget, 'lastReset' | 'startsAt' | 'endsAt' | 'expectedCents'> {
  key: number
  lastReset: number | null
}

const isMarked = "mark IN ('passed', 'over')"
const order = 'coalesce(usedPercent, -1) DESC, agent, key'

/** Budgets that have reached their alert threshold, closest to their limit first. */
export const budgetsOverThreshold = (mirror: Mirror): BudgetRow[] =>
  mirror.all<BudgetRow>(`SELECT * FROM used_budgets WHERE ${isMarked} ORDER BY ${order}`)

/** Budgets, closest to their limit first; those with unknown spending come last. */
export function budgetsOf(
  mirror: Mirror,
  { agent, marked, ...page }: ViewParams<'listAgentBudgets'>,
  now: number,
): AgentAnswer<'listAgentBudgets'> {
  const filter = where(['agent = ?', agent], [isMarked, marked ? 1 : undefined])
  const { items, total } = pageOf<BudgetRow>(mirror, 'SELECT * FROM used_budgets', filter, order, page)
  return { items: items.map((row) => describe(mirror, row, now)), total }
}

export const findBudget = (mirror: Mirror, agent: string, now: number): AgentBudget | null =>
  budgetsOf(mirror, { agent, marked: false, offset: 0, limit: 1 }, now).items[0] ?? null

export const listAgentBudgets = viewQuery<'listAgentBudgets'>({
  needs: ['budgets', 'agents', 'costs'],
  compute: ({ mirror, now }, params) => budgetsOf(mirror, params, now),
})

function describe(mirror: Mirror, { key: _key, ...row }: BudgetRow, now: number): AgentBudget {
  const { agent, state, spentCents, lastReset } = row
  const span = periodOf(row, now)
  const pace = keepsSpending(state) ? dailyCents(mirror, agent, now) : null
  return {
    ...row,
    lastReset: isoOf(lastReset),
    startsAt: isoOf(span?.from ?? null),
    endsAt: isoOf(span?.to ?? null),
    expectedCents:
      span === null || spentCents === null || pace === null
        ? null
        : roundCents(spentCents + (pace * Math.max(0, span.to - now)) / dayMs),
  }
}

/** From the last reset if that is in the current period, otherwise by the calendar; null for an unknown period. */
export function periodOf(
  { period, lastReset }: Pick<BudgetRow, 'period' | 'lastReset'>,
  now: number,
): { from: number; to: number } | null {
  const unit = period.trim().toLowerCase()
  const reset = lastReset !== null && lastReset <= now ? lastReset : null
  const from = reset !== null && (endOf(unit, reset) ?? 0) > now ? reset : calendarStart(unit, now)
  const to = from === null ? null : endOf(unit, from)
  return from === null || to === null ? null : { from, to }
}

function endOf(unit: string, from: number): number | null {
  if (unit === 'day') return from + dayMs
  if (unit === 'week') return from + 7 * dayMs
  if (unit !== 'month') return null
  const date = new Date(from)
  const month = date.getUTCMonth()
  date.setUTCMonth(month + 1)
  // A month after 31 January ends in February.
  if (date.getUTCMonth() !== (month + 1) % 12) date.setUTCDate(0)
  return date.getTime()
}
