import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { ChartSwatch } from '../../../components/chart/chart-swatch.tsx'
import { barPlaces, barWords } from './budget-bar.ts'
import classes from './budget.module.css'

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
        <ChartSwatch kind="bars" color="c1" index={0} /> spent
      </li>
      <li>
        <ChartSwatch kind="expected" color="ink3" index={0} /> expected at the end of the period
      </li>
      <li>
        <i className={classes['markKey']} aria-hidden /> alert mark
      </li>
    </ul>
  )
}
