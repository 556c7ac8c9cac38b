import { Select } from '@mantine/core'
import { IconCoins, IconFilter, IconRobot } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { eventTable, spendFiles } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentCost, SpendRow } from '../../../../shared/contracts/desk-agents-cost.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ExportLinks, offered, pickerProps } from '../../../components/list/filter-bar.tsx'
import { FieldSegments } from '../../../components/list/segmented.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { formatCount, plural, upperFirst } from '../../../lib/format.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentRead, asTimeMoves } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { agentCell, AgentLink, centsCell, countCell, Quiet, utcCell } from '../components/signs.tsx'
import { Columns, Figures, ReadPage } from '../components/view.tsx'
import { ListSection, TableSection } from '../table/table-section.tsx'
import { BudgetSection } from './budget-section.tsx'
import { costFilter, costPeriods, costQuery, eventQuery } from './period-filters.ts'
import type { CostFilter } from './period-filters.ts'
import { costFigures, tokenFormat, whyUnknown } from './cost-figures.ts'
import { formatCents } from './money.ts'
import { PeriodPicker } from './period-picker.tsx'
import { SpendChartFigure } from './spend-chart.tsx'
import { seriesName } from './spend-points.ts'

const agentCostQuery = (filter: CostFilter) =>
  queryOptions({
    ...asTimeMoves(agentRead(deskAgentRoutes.getAgentCost, costQuery(filter), eventQuery(filter))),
    // The figures stay while the chart is told apart in another way; those of another time do not.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[3]) === JSON.stringify(eventQuery(filter)) ? before : undefined,
  })

/** What the agents cost: what was spent on what, what is expected, and how near the budgets are. */
export function CostPage() {
  useTitle('Cost')
  const { filter, show } = useViewFilter(costFilter)
  const cost = useAgentRead(agentCostQuery(filter))
  const { data } = cost
  return (
    <ReadPage
      title="Cost"
      what="the cost"
      read={cost}
      tools={
        <>
          <PeriodPicker offered={costPeriods} view={costFilter} filter={filter} onRange={show} />
          <AgentPicker value={filter.agent} onAgent={(agent) => show({ agent })} />
        </>
      }
    >
      {data !== undefined && <Spending cost={data} filter={filter} />}
      <BudgetSection filter={filter} />
      <EventSection filter={filter} isReady={data !== undefined} />
    </ReadPage>
  )
}

function Spending({ cost, filter }: { cost: AgentCost; filter: CostFilter }) {
  const now = useNow()
  const { chart, stamp } = cost
  return (
    <>
      <Figures figures={costFigures(cost, filter.period, now)} />
      {chart === null ? (
        <p>Spend in time is unknown: {whyUnknown(stamp, 'cost_events')}</p>
      ) : (
        <Columns label="Spend">
          <SpendChartFigure chart={chart} title={`Spend by ${chart.bucket} and ${chart.by} (UTC)`} />
          <SpendSection cost={cost} filter={filter} />
        </Columns>
      )}
    </>
  )
}

/** What each model or agent has taken and cost; calls without price are counted apart, and never as $0. */
function SpendSection({ cost, filter }: { cost: AgentCost; filter: CostFilter }) {
  const by = cost.chart?.by ?? filter.by
  const { items, total } = by === 'model' ? cost.byModel : cost.byAgent
  const more = total - items.length
  return (
    <ListSection
      title={`By ${by}`}
      label={`Spend by ${by}`}
      tools={
        <>
          <FieldSegments
            label="What is told apart"
            view={costFilter}
            filter={filter}
            field="by"
            options={[
              ['model', 'Model'],
              ['agent', 'Agent'],
            ]}
          />
          <ExportLinks routes={spendFiles} query={costQuery(filter)} what="spend" />
        </>
      }
    >
      <ListTable
        label={`Spend by ${by}`}
        rows={allRows(items, by)}
        columns={columnsFor(by, cost.together === null ? items : [...items, cost.together])}
        sum={cost.together}
        most={7}
        gap={8}
      />
      {more > 0 && <Quiet>and {plural(more, by)} more; the files have all of them</Quiet>}
    </ListSection>
  )
}

const unpriced: DataColumn<SpendRow> = {
  label: 'no price',
  width: 44,
  numeric: true,
  cell: ({ spend }) => formatCount(spend.unpriced),
}

function columnsFor(by: 'model' | 'agent', rows: readonly SpendRow[]): DataColumn<SpendRow>[] {
  const tokens = tokenFormat(rows.flatMap(({ tokensIn, tokensOut }) => [tokensIn, tokensOut]))
  return [
    {
      label: upperFirst(by),
      width: [76, 1],
      isRowHeader: true,
      mono: by === 'model',
      cell: ({ name }) =>
        by === 'agent' && name !== null ? <AgentLink name={name} /> : seriesName(name, by),
    },
    { label: 'Calls', width: 44, numeric: true, cell: ({ spend }) => formatCount(spend.calls) },
    ...(rows.some(({ spend }) => spend.unpriced > 0) ? [unpriced] : []),
    { label: 'Tokens in', width: 52, numeric: true, cell: ({ tokensIn }) => tokens(tokensIn) },
    { label: 'out', width: 46, numeric: true, cell: ({ tokensOut }) => tokens(tokensOut) },
    {
      label: 'Spent',
      width: 62,
      numeric: true,
      cell: ({ spend }) => (spend.cents === null ? null : <b>{formatCents(spend.cents)}</b>),
    },
  ]
}

/** Every call that the figures above are made of, newest first. */
function EventSection({ filter, isReady }: { filter: CostFilter; isReady: boolean }) {
  return (
    <TableSection
      title="Calls"
      noun="call"
      table="cost_events"
      routes={eventTable}
      query={eventQuery(filter)}
      columns={[
        { label: 'Time, UTC', width: 96, cell: utcCell('at') },
        { label: 'Agent', width: [120, 1], cell: agentCell('agent') },
        { label: 'Model', width: [120, 1], mono: true, cell: 'model' },
        { label: 'Tokens in', width: 96, numeric: true, cell: countCell('tokensIn') },
        { label: 'out', width: 96, numeric: true, cell: countCell('tokensOut') },
        { label: 'Cost', width: 96, numeric: true, cell: centsCell('cents') },
      ]}
      keyOf={({ id }) => id}
      empty={
        filter.agent === null ? (
          <EmptyState icon={IconCoins} title="No call has cost anything in this time" />
        ) : (
          <EmptyState icon={IconFilter} title={`${filter.agent} has called nothing in this time`}>
            <Link href={costFilter.path({ ...filter, agent: null })}>Show all agents</Link>
          </EmptyState>
        )
      }
      log={{ isReady }}
    />
  )
}

/** How many agents are offered; typing a part of a name finds others. */
const most = 20

/** One agent out of any number, or all of them. */
function AgentPicker({ value, onAgent }: { value: string | null; onAgent: (agent: string | null) => void }) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(value ?? '')
  const q = useDebounced(typed === value ? '' : typed.trim().slice(0, 100), 150)
  const found = useQuery({
    ...agentRead(deskAgentRoutes.listDeskAgents, agentFilter.query({ q })),
    enabled: open,
  })
  const names = (found.data?.items ?? []).slice(0, most).map(({ name }) => name)
  return (
    <Select
      {...pickerProps}
      w={176}
      aria-label="Agent"
      placeholder="All agents"
      leftSection={<IconRobot size={14} stroke={1.75} />}
      clearButtonProps={{ 'aria-label': 'All agents' }}
      checkIconPosition="right"
      nothingFoundMessage={found.data === undefined ? 'Reading the agents…' : 'No agent has this in its name'}
      // Those that the server found.
      data={offered(names, value)}
      filter={({ options }) => options}
      value={value}
      onChange={onAgent}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  )
}
