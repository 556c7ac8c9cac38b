import { costEventSchema } from '../../../shared/contracts/desk-agents-cost.ts'
import type { AgentBudget, AgentCost, CostEvent } from '../../../shared/contracts/desk-agents-cost.ts'
import type { AgentState } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAnswer, AgentQuery } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { stateOfAgent } from '../mirror/schema.ts'
import { storedRecord } from '../records.ts'
import { deskQuery, newestPage, pageOf, viewQuery, where } from './desk-query.ts'
import type { ViewParams } from './desk-query.ts'
import { keepsSpending, roundCents } from './forecast.ts'
import { bucketRows, dailyCents, paceOf, spendIn, sumOf, toSpend, toSpendRow } from './spend.ts'
import type { SpendFilter } from './spend.ts'
import { bucketsOf, calendarStart, dayMs, iso, isoOf, spanOf } from './times.ts'
import type { PeriodParams, TimeSpan } from './times.ts'

const unpricedModels = 10

const filterOf = (params: PeriodParams & { agent?: string | undefined }, now: number): SpendFilter => ({
  ...spanOf(params, now),
  agent: params.agent ?? null,
})

export const getAgentCost = viewQuery<'getAgentCost'>({
  needs: ['costs', 'budgets', 'agents'],
  compute({ mirror, now }, params) {
    const filter = filterOf(params, now)
    const answer: AgentAnswer<'getAgentCost'> = {
      time: { from: iso(filter.from), to: iso(filter.to) },
      spent: null,
      expected: null,
      budgetsCents: scaledBudgets(mirror, params.agent, filter.to - filter.from),
      unpriced: { calls: 0, tokensIn: null, tokensOut: null, models: [] },
      chart: null,
      groups: { items: [], total: 0 },
      together: null,
    }
    if (!mirror.isKnown('costs')) return answer
    const state = mirror.value<AgentState>(`SELECT ${stateOfAgent('?')}`, filter.agent)
    const pace = keepsSpending(state) ? paceOf(mirror, filter.agent, now) : null
    const { sum, ...spending } = spendIn(mirror, filter, params.by, pace, now)
    return {
      ...answer,
      ...spending,
      unpriced: unpricedOf(mirror, filter),
      together: toSpendRow(null, sum),
    }
  },
})

/** The calls that match a filter, in time order. */
const callsOf = ({ from, to, agent }: SpendFilter) =>
  where(['at >= ?', from], ['at < ?', to], ['agent = ?', agent ?? undefined])

function unpricedOf(mirror: Mirror, filter: SpendFilter): AgentCost['unpriced'] {
  const { sql, values } = callsOf(filter)
  const models = mirror.all<Omit<AgentCost['unpriced'], 'models'> & { model: string | null }>(
    `SELECT model, sum(count(*)) OVER () AS calls, sum(sum(tokensIn)) OVER () AS tokensIn,
       sum(sum(tokensOut)) OVER () AS tokensOut
     FROM costs WHERE ${sql} AND cents IS NULL GROUP BY model ORDER BY count(*) DESC, model LIMIT ${unpricedModels}`,
    ...values,
  )
  const { calls, tokensIn, tokensOut } = models[0] ?? { calls: 0, tokensIn: null, tokensOut: null }
  return { calls, tokensIn, tokensOut, models: models.map(({ model }) => model) }
}

/** Days per month: 365.25 / 12. */
const periodDays = "CASE lower(period) WHEN 'day' THEN 1 WHEN 'week' THEN 7 WHEN 'month' THEN 30.4 END"

function scaledBudgets(mirror: Mirror, agent: string | undefined, spanMs: number): number | null {
  const { sql, values } = where(['agent = ?', agent])
  const cents = mirror.value<number>(
    `SELECT sum(budgetCents * ? / ${dayMs} / (${periodDays})) FROM budgets WHERE ${sql}`,
    spanMs,
    ...values,
  )
  return cents === null ? null : Math.round(cents)
}

/** The data of the chart, with every model or agent as its own series. */
export const exportAgentCost = deskQuery({
  needs: ['costs'],
  compute({ mirror, now }, params: AgentQuery<'exportAgentCostCsv'>) {
    const filter = filterOf(params, now)
    const { ms, starts } = bucketsOf(filter)
    const items = bucketRows(mirror, filter, params.by, null).map(({ place, name, sum }) => {
      const start = starts[place] ?? 0
      const time = { from: iso(start), to: iso(start + ms) }
      return { ...time, name, ...toSpend(sum), tokens_in: sum.tokensIn, tokens_out: sum.tokensOut }
    })
    return { items }
  },
})

const event = storedRecord<CostEvent>(costEventSchema)

export const listCostEvents = viewQuery<'listCostEvents'>({
  needs: ['costs'],
  compute(context, params) {
    const filter = filterOf(params, context.now)
    const count = (): number => sumOf(context.mirror, filter).calls
    return newestPage(context, 'costs', event, callsOf(filter), params, count)
  },
})

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
function budgetsOf(
  mirror: Mirror,
  { agent, marked, ...page }: ViewParams<'listAgentBudgets'>,
  now: number,
): AgentAnswer<'listAgentBudgets'> {
  const filter = where(['agent = ?', agent], [isMarked, marked ? 1 : undefined])
  const { items, total } = pageOf<BudgetRow>(mirror, 'SELECT * FROM used_budgets', filter, order, page)
  return { items: items.map((row) => describeBudget(mirror, row, now)), total }
}

export const findBudget = (mirror: Mirror, agent: string, now: number): AgentBudget | null =>
  budgetsOf(mirror, { agent, marked: false, offset: 0, limit: 1 }, now).items[0] ?? null

export const listAgentBudgets = viewQuery<'listAgentBudgets'>({
  needs: ['budgets', 'agents', 'costs'],
  compute: ({ mirror, now }, params) => budgetsOf(mirror, params, now),
})

function describeBudget(mirror: Mirror, { key: _key, ...row }: BudgetRow, now: number): AgentBudget {
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
): TimeSpan | null {
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
