import type { BudgetRecord } from '../../../shared/contracts/dashboard.ts'
import type { Row } from '../agents-database.ts'
import { wholeQuery } from '../agents-query.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'

const columns = ['agent_name', 'budget_cents', 'spent_cents', 'period', 'action', 'alert_at', 'last_reset']

/** `/api/cost` as JSON text. */
export const listBudgets = wholeQuery(
  (database) => {
    const rows =
      database.columnsOf('cost_budgets') === null
        ? []
        : database.all(
            `SELECT ${database.columns('cost_budgets', columns)} FROM cost_budgets
             ORDER BY ${database.column('cost_budgets', 'agent_name')}`,
          )
    return jsonOf({ budgets: rows.map(toRecord) })
  },
  () => jsonOf({ budgets: [] }),
)

/** An amount that is none is 0, and named as such (rulings, "Dashboard API"). */
function toRecord(row: Row): BudgetRecord {
  const budget = integerOf(row['budget_cents'])
  const spent = integerOf(row['spent_cents'])
  const record = {
    agent_name: textOf(row['agent_name']) ?? '',
    budget_cents: budget ?? 0,
    spent_cents: spent ?? 0,
    period: textOf(row['period']) ?? '',
    action: textOf(row['action']) ?? '',
    alert_at: integerOf(row['alert_at']),
    last_reset: timeOf(row['last_reset']),
  }
  if (budget !== null && spent !== null) return record
  const invalid = [...(budget === null ? ['budget_cents'] : []), ...(spent === null ? ['spent_cents'] : [])]
  return { ...record, invalid }
}
