import type { AgentPage } from '../../../../shared/contracts/desk-agents.ts'
import type { Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import { plural } from '../../../lib/format.ts'
import { formatCents, unpricedWords } from '../cost/money.ts'
import classes from './agent-spend.module.css'
import { SpendChartFigure } from '../cost/spend-chart.tsx'

/** What it has cost today, this month, and in the last thirty days by model. */
export function AgentSpend({ agent }: { agent: NonNullable<AgentPage['agent']> }) {
  const { spentToday, spentMonth, expectedToday, chart } = agent
  return (
    <section aria-label="Spend" className={classes['spend']}>
      <dl>
        <Amount
          label="Today"
          spend={spentToday}
          more={expectedToday === null ? null : `about ${formatCents(expectedToday.cents)} by midnight UTC`}
        />
        <Amount label="This month" spend={spentMonth} more={null} />
      </dl>
      {chart === null ? (
        <p>Its calls are being counted, or the database keeps none.</p>
      ) : (
        <SpendChartFigure chart={chart} title="Spend by day, last 30 days (UTC)" height={180} />
      )}
    </section>
  )
}

function Amount({ label, spend, more }: { label: string; spend: Spend | null; more: string | null }) {
  const missing = spend === null ? null : unpricedWords(spend)
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{spend === null ? 'counting' : formatCents(spend.cents)}</b>
        {spend !== null && <span>{plural(spend.calls, 'call')}</span>}
        {missing !== null && <span>{missing}</span>}
        {more !== null && <span>{more}</span>}
      </dd>
    </div>
  )
}
