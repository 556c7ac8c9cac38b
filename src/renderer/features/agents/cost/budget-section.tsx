import { IconAlertOctagonFilled, IconAlertTriangle, IconFilter, IconReportMoney } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { budgetTable } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { AgentLink, Quiet } from '../components/signs.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { TableSection } from '../table/table-section.tsx'
import { expectedWords, markWords, usedWords } from './budget-bar.ts'
import classes from './budget.module.css'
import { BudgetLegend, BudgetTrack } from './budget-track.tsx'
import { budgetQuery, costFilter } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { formatCents } from './money.ts'

const columns: readonly DataColumn<AgentBudget>[] = [
  {
    label: 'Agent',
    width: [110, 1],
    cell: ({ agent, state }) =>
      state === null ? <span title="There is no such agent">{agent}</span> : <AgentLink name={agent} />,
  },
  { label: 'Period', width: 52, cell: ({ period }) => period },
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
    cell: (budget) => (
      <Sign tone={budget.mark === 'over' ? 'bad' : 'warn'} words={markWords(budget)}>
        {usedWords(budget.usedPercent)}
      </Sign>
    ),
  },
  {
    label: 'Expected',
    width: [88, 0.6],
    numeric: true,
    cell: (budget) => <Expected budget={budget} />,
  },
  { label: 'Then', width: 60, cell: ({ action }) => action },
]

function Expected({ budget }: { budget: AgentBudget }) {
  const { text, isOver } = expectedWords(budget)
  return (
    <Sign
      tone="warn"
      words={isOver && budget.mark !== 'over' ? 'expected to pass its budget' : null}
      title={budget.endsAt === null ? undefined : `by ${budget.endsAt}`}
    >
      {text}
    </Sign>
  )
}

/** A number, with a sign before it where it says something; first the word for those who do not see it. */
function Sign({
  tone,
  words,
  title,
  children,
}: {
  tone: 'bad' | 'warn'
  words: string | null
  title?: string | undefined
  children: ReactNode
}) {
  if (words === null) return <span title={title}>{children}</span>
  const Icon = tone === 'bad' ? IconAlertOctagonFilled : IconAlertTriangle
  return (
    <span
      className={classes['sign']}
      data-tone={tone}
      title={title === undefined ? words : `${words}, ${title}`}
    >
      <Icon size={14} stroke={1.75} role="img" aria-label={words} />
      {children}
    </span>
  )
}

/** Budgets, nearest to their limit first. */
export function BudgetSection({ filter }: { filter: CostFilter }) {
  const segment = (key: 'all' | 'marked', label: string) => ({
    key,
    label,
    href: costFilter.path({ ...filter, marked: key === 'marked' }),
  })
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
        <Segmented
          label="Which budgets"
          current={filter.marked ? 'marked' : 'all'}
          segments={[segment('all', 'All'), segment('marked', 'Past their mark')]}
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
