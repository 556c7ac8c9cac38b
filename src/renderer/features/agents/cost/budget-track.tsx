import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { barPlaces, barWords } from './budget-bar.ts'
import classes from './budget-track.module.css'

/** How far a budget is used, where its mark is, and what is expected at the end of its period. */
export function BudgetTrack({ budget }: { budget: AgentBudget }) {
  const { spent, expected, mark, limit } = barPlaces(budget)
  const percent = (place: number): string => `${place}%`
  return (
    <span className={classes['track']} role="img" aria-label={barWords(budget)} title={barWords(budget)}>
      {expected !== null && expected > (spent ?? 0) && (
        <span
          className={classes['expected']}
          style={{ left: percent(spent ?? 0), width: percent(expected - (spent ?? 0)) }}
        />
      )}
      {spent !== null && (
        <span className={classes['spent']} data-mark={budget.mark} style={{ width: percent(spent) }} />
      )}
      <span className={classes['limit']} style={{ left: percent(limit) }} />
      {mark !== null && <span className={classes['mark']} style={{ left: percent(mark) }} />}
    </span>
  )
}

/** What the parts of the bars are, over the table. */
export function BudgetLegend() {
  return (
    <ul className={classes['legend']}>
      <li>
        <i className={classes['spentKey']} aria-hidden /> spent
      </li>
      <li>
        <i className={classes['expectedKey']} aria-hidden /> expected at the end of the period
      </li>
      <li>
        <i className={classes['markKey']} aria-hidden /> alert mark
      </li>
    </ul>
  )
}
