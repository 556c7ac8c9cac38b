import type { AgentBudget } from '../../../shared/contracts/desk-agents-cost.ts'
import { budgetsOf } from '../memory/budgets.ts'
import { deskQuery } from '../memory/desk-query.ts'

export interface BudgetsParams {
  agent?: string | undefined
  marked: boolean
  offset: number
  limit: number
}

export const deskBudgets = deskQuery<BudgetsParams, { items: AgentBudget[]; total: number }>({
  needs: ['budgets', 'agents', 'costs'],
  compute({ memory, now }, { agent, marked, offset, limit }) {
    const found = budgetsOf(memory, now).filter(
      (budget) =>
        (agent === undefined || budget.agent === agent) &&
        (!marked || budget.mark === 'passed' || budget.mark === 'over'),
    )
    return { items: found.slice(offset, offset + limit), total: found.length }
  },
  empty: () => ({ items: [], total: 0 }),
})
