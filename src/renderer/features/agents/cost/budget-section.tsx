import { IconAlertOctagonFilled, IconAlertTriangle, IconFilter, IconReportMoney } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { deskAgentCostRoutes } from '../../../../shared/contracts/desk-agents-cost.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { expectedWords, markWords, usedWords } from './budget-bar.ts'
import { readBudgets } from './cost.api.ts'
import { budgetQuery, costPath } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { formatCents } from './money.ts'
import { newsWords, useAgentList } from '../agents/use-agent-list.ts'
import { inDesk } from '../view-address.ts'
import classes from './budget-section.module.css'
import { BudgetLegend, BudgetTrack } from './budget-track.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { ListBox } from '../components/list-box.tsx'
import lists from '../components/list-section.module.css'
import { SectionNews } from '../components/section-news.tsx'

const columns = [
  { key: 'agent', label: 'Agent' },
  { key: 'period', label: 'Period' },
  { key: 'bar', label: '0 to 125 % of the budget' },
  { key: 'spent', label: 'Spent of budget', numeric: true },
  { key: 'used', label: 'Used', numeric: true },
  { key: 'expected', label: 'Expected', numeric: true },
  { key: 'then', label: 'Then' },
]
const widths =
  'minmax(110px, 1fr) 52px minmax(140px, 2.6fr) minmax(150px, 0.9fr) 76px minmax(88px, 0.6fr) 60px'

/** Budgets, nearest to their limit first. */
export function BudgetSection({ filter }: { filter: CostFilter }) {
  const list = useAgentList({
    key: ['agents', 'budgets', budgetQuery(filter)],
    read: (offset, signal) => readBudgets(filter, offset, signal),
    keyOf: ({ agent }: AgentBudget) => agent,
  })
  const cells = (place: number): readonly ReactNode[] | null => {
    const budget = list.rowAt(place)
    return budget === undefined ? null : cellsOf(budget)
  }
  const segment = (key: 'all' | 'marked', label: string) => ({
    key,
    label,
    href: costPath({ ...filter, marked: key === 'marked' }),
  })
  return (
    <section className={lists['section']} aria-label="Budgets">
      <header className={lists['head']}>
        <h2>Budgets</h2>
        <span className={lists['note']}>nearest to their limit first, as the agents’ runtime keeps them</span>
        <Segmented
          label="Which budgets"
          current={filter.marked ? 'marked' : 'all'}
          segments={[segment('all', 'All'), segment('marked', 'Past their mark')]}
        />
        <ExportLinks
          csv={deskAgentCostRoutes.exportAgentBudgetsCsv}
          json={deskAgentCostRoutes.exportAgentBudgetsJson}
          query={budgetQuery(filter)}
          what="budgets"
        />
      </header>
      {list.error !== null && (
        <ReadFailure error={list.error} what="The budgets cannot be read" retry={list.retry} />
      )}
      {list.loading && list.error === null && <ReadBones rows={4} height={28} what="the budgets" />}
      {!list.loading && list.total === 0 && <NoBudget filter={filter} />}
      {list.total > 0 && (
        <ListBox rows={list.total} most={10}>
          <VirtualTable
            label="Budgets"
            columns={columns}
            widths={widths}
            total={list.total}
            cells={cells}
            view={JSON.stringify(budgetQuery(filter))}
            onVisible={list.look}
          />
        </ListBox>
      )}
      {list.total > 0 && (
        <footer className={classes['foot']}>
          <BudgetLegend />
          <SectionNews words={newsWords(list.news, 'budget')} onShow={list.showNews} />
        </footer>
      )}
    </section>
  )
}

function NoBudget({ filter }: { filter: CostFilter }) {
  if (filter.marked) {
    return (
      <EmptyState icon={IconFilter} title="No budget is past its mark">
        <Link href={costPath({ ...filter, marked: false })}>Show all budgets</Link>
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

function cellsOf(budget: AgentBudget): readonly ReactNode[] {
  const { agent, state, period, budgetCents, spentCents, usedPercent, action, endsAt, mark } = budget
  const expected = expectedWords(budget)
  const marked = markWords(budget)
  return [
    state === null ? (
      <span key="agent" title="There is no such agent">
        {agent}
      </span>
    ) : (
      <Link key="agent" className={classes['agent']} href={inDesk(agentPlaces.agent(agent))}>
        {agent}
      </Link>
    ),
    period,
    <BudgetTrack key="bar" budget={budget} />,
    <span key="spent" className={classes['quiet']}>
      <b data-unknown={spentCents === null || undefined}>{formatCents(spentCents)}</b> of{' '}
      {formatCents(budgetCents)}
    </span>,
    <Sign key="used" tone={mark === 'over' ? 'bad' : 'warn'} words={marked}>
      {usedWords(usedPercent)}
    </Sign>,
    <Sign
      key="expected"
      tone="warn"
      words={expected.isOver && mark !== 'over' ? 'expected to pass its budget' : null}
      title={endsAt === null ? undefined : `by ${endsAt}`}
    >
      {expected.text}
    </Sign>,
    action,
  ]
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
