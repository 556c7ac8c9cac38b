import type { AgentCost, CostEvent, SpendRow } from '../../../shared/contracts/desk-agents-cost.ts'
import type { Row } from '../agents-database.ts'
import { integerOf, numberOf, textOf, timeOf } from '../cell-values.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { findAgent } from './desk-agents.ts'
import { deskQuery, newestPage, where } from './desk-query.ts'
import type { PageParams } from './desk-query.ts'
import { expectedOf, goesOnSpending } from './forecast.ts'
import { bucketGroupsOf, chartOf, groupsOf, paceOf, sumOf, toSpend, toSpendRow } from './spend.ts'
import type { SpendFilter, SpendGroups } from './spend.ts'
import { bucketsOf, dayMs, iso, spanOf } from './times.ts'
import type { PeriodParams } from './times.ts'

export type CostValue = Omit<AgentCost, 'stamp'>

export interface CostParams extends PeriodParams {
  agent?: string | undefined
  by: 'model' | 'agent'
}

const unpricedModels = 10

const filterOf = (params: PeriodParams & { agent?: string | undefined }, now: number): SpendFilter => ({
  ...spanOf(params, now),
  agent: params.agent ?? null,
})

const emptyCost = (params: CostParams, now = Date.now()): CostValue => {
  const { from, to } = spanOf(params, now)
  return {
    time: { from: iso(from), to: iso(to) },
    spent: null,
    expected: null,
    budgetsCents: null,
    unpriced: { calls: 0, tokensIn: null, tokensOut: null, models: [] },
    chart: null,
    byModel: { items: [], total: 0 },
    byAgent: { items: [], total: 0 },
    together: null,
  }
}

export const deskCost = deskQuery<CostParams, CostValue>({
  needs: ['costs', 'budgets', 'agents'],
  compute({ mirror, now }, params) {
    const filter = filterOf(params, now)
    const base = {
      ...emptyCost(params, now),
      budgetsCents: scaledBudgets(mirror, params.agent, filter.to - filter.from),
    }
    if (!mirror.isKnown('costs')) return base
    const whole = sumOf(mirror, filter)
    const spent = toSpend(whole)
    const models = groupsOf(mirror, filter, 'model')
    const agents = groupsOf(mirror, filter, 'agent')
    const goesOn =
      params.agent === undefined || goesOnSpending(findAgent(mirror, params.agent)?.state ?? null)
    const pace = goesOn ? paceOf(mirror, filter.agent, now) : null
    const groups = params.by === 'model' ? models : agents
    return {
      ...base,
      spent,
      expected: expectedOf(pace, spent, now, filter.to),
      unpriced: unpricedOf(mirror, filter),
      chart: chartOf({ mirror, filter, by: params.by, groups, pace, now }),
      byModel: tableOf(models),
      byAgent: tableOf(agents),
      together: toSpendRow(null, whole),
    }
  },
  empty: emptyCost,
})

const tableOf = ({ items, total }: SpendGroups): { items: SpendRow[]; total: number } => ({
  items: items.map(({ name, sum }) => toSpendRow(name, sum)),
  total,
})

/** The calls of a filter, in the order of its times. */
const callsOf = ({ from, to, agent }: SpendFilter) =>
  where(['at >= ?', from], ['at < ?', to], ['agent = ?', agent ?? undefined])

function unpricedOf(mirror: Mirror, filter: SpendFilter): AgentCost['unpriced'] {
  const { sql, values } = callsOf(filter)
  const models = mirror.all<{
    model: string | null
    calls: number
    tokensIn: number | null
    tokensOut: number | null
  }>(
    `SELECT model, count(*) AS calls, sum(tokens_in) AS tokensIn, sum(tokens_out) AS tokensOut
     FROM costs WHERE ${sql} AND cents IS NULL GROUP BY model ORDER BY calls DESC, model`,
    ...values,
  )
  const total = (numbers: (number | null)[]): number | null => {
    const known = numbers.filter((number) => number !== null)
    return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0)
  }
  return {
    calls: total(models.map(({ calls }) => calls)) ?? 0,
    tokensIn: total(models.map(({ tokensIn }) => tokensIn)),
    tokensOut: total(models.map(({ tokensOut }) => tokensOut)),
    models: models.slice(0, unpricedModels).map(({ model }) => model),
  }
}

/** Days in a month, as in 365.25 / 12. */
const periodDays = "CASE lower(period) WHEN 'day' THEN 1 WHEN 'week' THEN 7 WHEN 'month' THEN 30.4 END"

function scaledBudgets(mirror: Mirror, agent: string | undefined, spanMs: number): number | null {
  const { sql, values } = where(['agent = ?', agent])
  const cents = mirror.value<number>(
    `SELECT sum(budget_cents * ? / ${dayMs} / (${periodDays})) FROM budgets WHERE ${sql}`,
    spanMs,
    ...values,
  )
  return cents === null ? null : Math.round(cents)
}

export interface CostRow {
  from: string
  to: string
  name: string | null
  calls: number
  unpriced: number
  cents: number | null
  tokens_in: number | null
  tokens_out: number | null
}

/** What the chart shows, with each model or agent on its own. */
export const deskCostRows = deskQuery<CostParams, CostRow[]>({
  needs: ['costs'],
  compute({ mirror, now }, params) {
    const filter = filterOf(params, now)
    const { ms, starts } = bucketsOf(filter)
    return bucketGroupsOf(mirror, filter, params.by).map(({ place, name, sum }) => {
      const start = starts[place] ?? 0
      return {
        from: iso(start),
        to: iso(start + ms),
        name,
        ...toSpend(sum),
        tokens_in: sum.tokensIn,
        tokens_out: sum.tokensOut,
      }
    })
  },
  empty: () => [],
})

export interface CostEventsParams extends PeriodParams, PageParams {
  agent?: string | undefined
}

const eventColumns = ['id', 'agent_name', 'amount_cents', 'model', 'tokens_in', 'tokens_out', 'created_at']

const toEvent = (row: Row): CostEvent => ({
  id: textOf(row['id']) ?? textOf(row['key']) ?? '',
  at: timeOf(row['created_at']),
  agent: textOf(row['agent_name']),
  model: textOf(row['model']),
  tokensIn: integerOf(row['tokens_in']),
  tokensOut: integerOf(row['tokens_out']),
  cents: numberOf(row['amount_cents']),
})

export const deskCostEvents = deskQuery<CostEventsParams, { items: CostEvent[]; total: number | null }>({
  needs: ['costs'],
  compute(context, params) {
    const filter = filterOf(params, context.now)
    const count = (): number => sumOf(context.mirror, filter).calls
    return newestPage(context, 'costs', eventColumns, toEvent, callsOf(filter), params, count)
  },
  empty: () => ({ items: [], total: 0 }),
})
