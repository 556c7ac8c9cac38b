import type { AgentCost, CostEvent, SpendRow } from '../../../shared/contracts/desk-agents-cost.ts'
import { integerOf, numberOf, textOf, timeOf } from '../cell-values.ts'
import { goesOnSpending } from '../memory/agent-index.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { deskQuery } from '../memory/desk-query.ts'
import { rowsOf } from '../memory/rows-of.ts'
import { chartOf, groupsOf } from '../memory/spend-chart.ts'
import type { SpendGroup } from '../memory/spend-chart.ts'
import { SpendSum, eachCost, expectedOf, paceOf, sumOf } from '../memory/spend.ts'
import type { SpendFilter } from '../memory/spend.ts'
import { bucketsOf, dayMs, iso, spanOf } from '../memory/times.ts'
import type { PeriodParams } from '../memory/times.ts'

export type CostValue = Omit<AgentCost, 'stamp'>

export interface CostParams extends PeriodParams {
  agent?: string | undefined
  by: 'model' | 'agent'
}

const tableRows = 50
const unpricedModels = 10

/** Null names all agents; one that no call names has a code that is in no row. */
function filterOf(
  memory: AgentsMemory,
  params: PeriodParams & { agent?: string | undefined },
  now: number,
): SpendFilter {
  const agent = params.agent === undefined ? null : (memory.costs.agents.find(params.agent) ?? -1)
  return { ...spanOf(params, now), agent }
}

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
  compute({ memory, now }, params) {
    const { costs } = memory
    const filter = filterOf(memory, params, now)
    const base = {
      ...emptyCost(params, now),
      budgetsCents: scaledBudgets(memory, params.agent, filter.to - filter.from),
    }
    if (!costs.tape.isComplete || !costs.tape.isThere) return base
    const whole = sumOf(costs, filter)
    const spent = whole.toSpend()
    const models = groupsOf(costs, filter, 'model')
    const agents = groupsOf(costs, filter, 'agent')
    const goesOn = params.agent === undefined || goesOnSpending(memory, params.agent)
    const pace = goesOn ? paceOf(costs, filter.agent, now) : null
    const groups = params.by === 'model' ? models : agents
    return {
      ...base,
      spent,
      expected: expectedOf(pace, spent, now, filter.to),
      unpriced: unpricedOf(memory, filter),
      chart: chartOf({ costs, filter, by: params.by, groups, pace, now }),
      byModel: tableOf(models),
      byAgent: tableOf(agents),
      together: whole.toRow(null),
    }
  },
  empty: emptyCost,
})

function tableOf(groups: readonly SpendGroup[]): { items: SpendRow[]; total: number } {
  return { items: groups.slice(0, tableRows).map(({ name, sum }) => sum.toRow(name)), total: groups.length }
}

function unpricedOf(memory: AgentsMemory, filter: SpendFilter): AgentCost['unpriced'] {
  const whole = new SpendSum()
  const models = new Map<number, number>()
  eachCost(memory.costs, filter, (cells, index) => {
    if (!Number.isNaN(cells.cents[index])) return
    whole.add(cells, index)
    const model = cells.model[index] ?? 0
    models.set(model, (models.get(model) ?? 0) + 1)
  })
  const { tokensIn, tokensOut } = whole.toRow(null)
  const most = [...models].toSorted(([, one], [, other]) => other - one).slice(0, unpricedModels)
  return {
    calls: whole.calls,
    tokensIn,
    tokensOut,
    models: most.map(([code]) => memory.costs.models.textOf(code)),
  }
}

/** Days in a month, as in 365.25 / 12. */
const periodDays: Record<string, number> = { day: 1, week: 7, month: 30.4 }

function scaledBudgets(memory: AgentsMemory, agent: string | undefined, spanMs: number): number | null {
  let sum: number | null = null
  for (const budget of memory.budgets.rows) {
    const days = periodDays[budget.period.toLowerCase()]
    if ((agent !== undefined && budget.agent !== agent) || days === undefined || budget.budgetCents === null)
      continue
    sum = (sum ?? 0) + (budget.budgetCents * spanMs) / dayMs / days
  }
  return sum === null ? null : Math.round(sum)
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
  compute({ memory, now }, params) {
    const { costs } = memory
    const filter = filterOf(memory, params, now)
    const { ms, starts } = bucketsOf(filter)
    const words = params.by === 'model' ? costs.models : costs.agents
    const first = starts[0] ?? 0
    const sums = new Map<number, SpendSum>()
    eachCost(costs, filter, (cells, index) => {
      const key =
        Math.floor(((cells.at[index] ?? 0) - first) / ms) * words.size + (cells[params.by][index] ?? 0)
      const sum = sums.get(key) ?? new SpendSum()
      sum.add(cells, index)
      sums.set(key, sum)
    })
    return [...sums]
      .toSorted(([one], [other]) => one - other)
      .map(([key, sum]) => {
        const start = first + Math.floor(key / words.size) * ms
        const { name, spend, tokensIn, tokensOut } = sum.toRow(words.textOf(key % words.size))
        return {
          from: iso(start),
          to: iso(start + ms),
          name,
          ...spend,
          tokens_in: tokensIn,
          tokens_out: tokensOut,
        }
      })
  },
  empty: () => [],
})

export interface CostEventsParams extends PeriodParams {
  agent?: string | undefined
  offset: number
  limit: number
}

export const deskCostEvents = deskQuery<CostEventsParams, { items: CostEvent[]; total: number | null }>({
  needs: ['costs'],
  compute({ memory, database, now }, params) {
    const { tape } = memory.costs
    const filter = filterOf(memory, params, now)
    const keys: number[] = []
    let found = 0
    for (const { cells, keys: own } of tape.blocks.toReversed()) {
      for (let index = own.length - 1; index >= 0; index -= 1) {
        const at = cells.at[index] ?? Number.NaN
        if (
          !(at >= filter.from && at < filter.to) ||
          (filter.agent !== null && cells.agent[index] !== filter.agent)
        )
          continue
        if (found >= params.offset && keys.length < params.limit) keys.push(own[index] ?? 0)
        found += 1
      }
    }
    const columns = ['id', 'agent_name', 'amount_cents', 'model', 'tokens_in', 'tokens_out', 'created_at']
    const rows = rowsOf(memory, database, 'costs', keys, columns)
    const items = rows.map((row) => ({
      id: textOf(row['id']) ?? textOf(row['key']) ?? '',
      at: timeOf(row['created_at']),
      agent: textOf(row['agent_name']),
      model: textOf(row['model']),
      tokensIn: integerOf(row['tokens_in']),
      tokensOut: integerOf(row['tokens_out']),
      cents: numberOf(row['amount_cents']),
    }))
    return { items, total: tape.isComplete ? found : null }
  },
  empty: () => ({ items: [], total: 0 }),
})
