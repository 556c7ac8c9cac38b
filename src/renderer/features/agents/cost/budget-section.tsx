import { IconFilter, IconReportMoney } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { budgetTable } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { ChartLegend, ChartSwatch } from '../../../components/chart/chart-swatch.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { FieldSegments } from '../../../components/list/segmented.tsx'
import { AgentLink, Quiet, Sign } from '../components/signs.tsx'
import { TableSection } from '../table/table-section.tsx'
import { barPlaces, barLabel, forecastOf, thresholdNote, formatUsed } from './budget-bar.ts'
import classes from './budget.module.css'
import { budgetQuery, costFilter } from './period-filters.ts'
import type { CostFilter } from './period-filters.ts'
import { formatCents } from './money.ts'

const columns: readonly DataColumn<AgentBudget>[] = [
  {
    label: 'Agent',
    width: [110, 1],
    cell: ({ agent, state }) =>
      state === null ? <span title="There is no such agent">{agent}</span> : <AgentLink name={agent} />,
  },
  { label: 'Period', width: 52, cell: 'period' },
  {
    label: '0 to 125 % of the budget',
    width: [140, 2.6],
    cell: (budget) => <BudgetTrack budget={budget} />,
  },
  {
    label: 'Spent of budget',
    width: [150, 0.9],
    numeric: true,
    cell: ({ spentCents, budgetCents }) => (
      <Quiet>
        {spentCents === null ? 'unknown' : <b>{formatCents(spentCents)}</b>} of {formatCents(budgetCents)}
      </Quiet>
    ),
  },
  {
    label: 'Used',
    width: 76,
    numeric: true,
    cell: (budget) => signed(formatUsed(budget.usedPercent), thresholdNote(budget), budget.mark === 'over'),
  },
  { label: 'Expected', width: [88, 0.6], numeric: true, cell: expectedOf },
  { label: 'Then', width: 60, cell: 'action' },
]

function expectedOf(budget: AgentBudget) {
  const { text, isOver } = forecastOf(budget)
  const words = isOver && budget.mark !== 'over' ? 'expected to pass its budget' : null
  return signed(text, words, false, budget.endsAt === null ? undefined : `by ${budget.endsAt}`)
}

/** A number, with a sign before it where it says something; first the words for those who do not see it. */
function signed(number: string, words: string | null, isBad: boolean, title?: string): ReactNode {
  if (words === null) return <span title={title}>{number}</span>
  const more = title === undefined ? words : `${words}, ${title}`
  return <Sign tone={isBad ? 'bad' : 'warn'} label={words} title={more} text={number} />
}

/** Budgets, nearest to their limit first. */
export function BudgetSection({ filter }: { filter: CostFilter }) {
  return (
    <TableSection
      title="Budgets"
      noun="budget"
      table="cost_budgets"
      routes={budgetTable}
      query={budgetQuery(filter)}
      columns={columns}
      keyOf={({ agent }) => agent}
      filter={
        <FieldSegments
          label="Which budgets"
          view={costFilter}
          filter={filter}
          field="marked"
          options={[
            [false, 'All'],
            [true, 'Past their mark'],
          ]}
        />
      }
      note="nearest to their limit first, as the agents’ runtime keeps them"
      empty={<NoBudget filter={filter} />}
      legend={<BudgetLegend />}
    />
  )
}

function NoBudget({ filter }: { filter: CostFilter }) {
  if (filter.marked) {
    return (
      <EmptyState icon={IconFilter} title="No budget is past its mark">
        <Link href={costFilter.path({ ...filter, marked: false })}>Show all budgets</Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconReportMoney}
      title={filter.agent === null ? 'No agent has a budget' : `${filter.agent} has no budget`}
    />
  )
}

/** How far a budget is used, where its mark is, and what is expected at the end of its period. */
export function BudgetTrack({ budget }: { budget: AgentBudget }) {
  const { spent, expected, mark, limit } = barPlaces(budget)
  const percent = (place: number): string => `${place}%`
  return (
    <span className={classes['track']} role="img" aria-label={barLabel(budget)} title={barLabel(budget)}>
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
function BudgetLegend() {
  return (
    <ChartLegend>
      <li>
        <ChartSwatch kind="bars" color="c1" index={0} /> spent
      </li>
      <li>
        <ChartSwatch kind="expected" color="ink3" index={0} /> expected at the end of the period
      </li>
      <li>
        <i className={classes['mark']} aria-hidden /> alert mark
      </li>
    </ChartLegend>
  )
}
