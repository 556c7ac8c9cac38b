import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { Facts } from '../../../components/facts.tsx'
import { Section } from '../../../components/section.tsx'
import { formatCents } from '../cost/money.ts'
import { pathWith } from '../view-address.ts'
import classes from './agent-budget.module.css'
import { Utc } from '../components/utc.tsx'

const marks = {
  below: 'below its mark',
  passed: 'past its mark',
  over: 'over the budget',
  unknown: 'unknown',
}

/** What it may spend, what it has spent, and how that will end. */
export function AgentBudgetFacts({ budget, agent }: { budget: AgentBudget | null; agent: string }) {
  if (budget === null) {
    return (
      <Section title="Budget">
        <p>It has none.</p>
      </Section>
    )
  }
  const { spentCents, budgetCents, usedPercent, period, action, alertAt, startsAt, endsAt } = budget
  return (
    <Section title="Budget" note={<Link href={pathWith('/agents/cost', { agent })}>Cost</Link>}>
      <div className={classes['budget']}>
        <p className={classes['amount']}>
          <b>{formatCents(spentCents)}</b> of {formatCents(budgetCents)} a {period}
          {usedPercent === null ? '' : `, ${Math.round(usedPercent)} %`}
          <span data-mark={budget.mark}>
            {(budget.mark === 'passed' || budget.mark === 'over') && (
              <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
            )}
            {marks[budget.mark]}
          </span>
        </p>
        {usedPercent !== null && <Bar used={usedPercent} mark={alertAt} state={budget.mark} />}
        <Facts
          facts={[
            { label: 'Mark', value: alertAt === null ? 'unknown' : `${alertAt} %, then ${action}` },
            {
              label: 'Period',
              value: (
                <>
                  <Utc at={startsAt} /> to <Utc at={endsAt} />
                </>
              ),
            },
            {
              label: 'Expected',
              value:
                budget.expectedCents === null
                  ? 'unknown'
                  : `${formatCents(budget.expectedCents)} by the end of the period`,
            },
          ]}
        />
      </div>
    </Section>
  )
}

/** The same as the words over it, as a length. */
function Bar({ used, mark, state }: { used: number; mark: number | null; state: AgentBudget['mark'] }) {
  return (
    <div className={classes['bar']} data-mark={state} aria-hidden>
      <i style={{ width: `${Math.max(0, Math.min(100, used))}%` }} />
      {mark !== null && mark >= 0 && mark <= 100 && <b style={{ left: `${mark}%` }} />}
    </div>
  )
}
