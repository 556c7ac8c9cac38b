import { Select } from '@mantine/core'
import { IconCoins, IconRobot } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { maxSearchCharacters } from '../../../../shared/contracts/desk-common.ts'
import { eventTable, spendFiles } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentCost, SpendRow } from '../../../../shared/contracts/desk-agents-cost.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ExportLinks, offered, pickerProps } from '../../../components/list/filter-bar.tsx'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { Section } from '../../../components/section.tsx'
import { formatCount, upperFirst } from '../../../lib/format.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { agentFilter } from '../agents/agents-page.tsx'
import { agentCell, AgentLink, centsCell, countCell, Quiet, utcCell } from '../components/values.tsx'
import { Columns, Figures, ReadPage } from '../components/view-parts.tsx'
import { TableSection } from '../table/table-section.tsx'
import { BudgetSection } from './budget-section.tsx'
import { costFilter, costPeriods, costQuery, eventQuery } from './period.ts'
import type { CostFilter, CostState } from './period.ts'
import { costFigures, tokenFormat } from './cost-figures.ts'
import { formatCents } from './money.ts'
import { PeriodPicker } from './period-picker.tsx'
import { SpendChartFigure } from './spend-chart.tsx'
import { seriesName } from './spend-points.ts'
import { names, texts } from '../agents.texts.ts'

const agentCostQuery = (filter: CostFilter) =>
  queryOptions({
    ...agentRead(deskAgentRoutes.getAgentCost, costQuery(filter), eventQuery(filter)),
    // The figures stay while the chart is grouped differently, but not for another period or agent.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[3]) === JSON.stringify(eventQuery(filter)) ? before : undefined,
  })

/** The cost of the agents: spend, forecast, budgets and calls. */
export function CostPage() {
  const state = useViewFilter(costFilter)
  const { filter, show } = state
  const cost = useAgentRead(agentCostQuery(filter))
  const { data } = cost
  return (
    <ReadPage
      title={texts.cost.title}
      read={cost}
      tools={
        <>
          <PeriodPicker offered={costPeriods} state={state} />
          <AgentPicker value={filter.agent} onAgent={(agent) => show({ agent })} />
        </>
      }
    >
      {data !== undefined && <Spending cost={data} state={state} />}
      <BudgetSection state={state} />
      <EventSection state={state} />
    </ReadPage>
  )
}

function Spending({ cost, state }: { cost: AgentCost; state: CostState }) {
  const now = useNow()
  const { chart, stamp } = cost
  return (
    <>
      <Figures figures={costFigures(cost, state.filter.period, now)} />
      <Columns label={texts.cost.chart.label}>
        <SpendChartFigure chart={chart} stamp={stamp} />
        {chart !== null && <SpendSection cost={cost} by={chart.by} state={state} />}
      </Columns>
    </>
  )
}

interface SpendProps {
  cost: AgentCost
  by: CostFilter['by']
  state: CostState
}

/** Calls, tokens and spend by model or by agent; unpriced calls have their own column and never count as $0. */
function SpendSection({ cost, by, state }: SpendProps) {
  const { items, total } = cost.groups
  const more = total - items.length
  const labels = texts.cost.spend
  return (
    <Section
      title={labels.title(by)}
      label={labels.label(by)}
      note={
        <>
          <FieldSegments
            label={labels.groupBy}
            state={state}
            field="by"
            options={[
              ['model', names.model],
              ['agent', names.agent],
            ]}
          />
          <ExportLinks routes={spendFiles} query={costQuery(state.filter)} what={labels.export} />
        </>
      }
    >
      <ListTable
        label={labels.label(by)}
        rows={allRows(items, by)}
        columns={columnsFor(by, cost.together === null ? items : [...items, cost.together])}
        sum={cost.together}
        maxRows={7}
        gap={8}
      />
      {more > 0 && <Quiet>{labels.more(more, by)}</Quiet>}
    </Section>
  )
}

const unpriced: DataColumn<SpendRow> = {
  label: names.unpriced,
  width: 58,
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
    { label: names.calls, width: 44, numeric: true, cell: ({ spend }) => formatCount(spend.calls) },
    ...(rows.some(({ spend }) => spend.unpriced > 0) ? [unpriced] : []),
    { label: names.tokensIn, width: 52, numeric: true, cell: ({ tokensIn }) => tokens(tokensIn) },
    { label: texts.cost.spend.out, width: 46, numeric: true, cell: ({ tokensOut }) => tokens(tokensOut) },
    {
      label: names.spent,
      width: 62,
      numeric: true,
      cell: ({ spend }) => (spend.cents === null ? null : <b>{formatCents(spend.cents)}</b>),
    },
  ]
}

/** The calls that the figures above include, newest first. */
function EventSection({ state }: { state: CostState }) {
  const { agent } = state.filter
  const labels = texts.cost.events
  return (
    <TableSection
      title={labels.title}
      noun={labels.noun}
      table="cost_events"
      routes={eventTable}
      query={eventQuery(state.filter)}
      columns={[
        { label: texts.utc(names.time), width: 96, cell: utcCell('at') },
        { label: names.agent, width: [120, 1], cell: agentCell('agent') },
        { label: names.model, width: [120, 1], mono: true, cell: 'model' },
        { label: names.tokensIn, width: 96, numeric: true, cell: countCell('tokensIn') },
        { label: names.tokensOut, width: 96, numeric: true, cell: countCell('tokensOut') },
        { label: names.cost, width: 96, numeric: true, cell: centsCell('cents') },
      ]}
      keyOf={({ id }) => id}
      empty={{
        icon: IconCoins,
        title: labels.none(agent),
        all: agent === null ? null : { href: state.pathTo({ agent: null }), label: labels.allAgents },
      }}
      isLog
    />
  )
}

/** Typing part of a name finds agents beyond the first ones. */
const maxOffered = 20

/** Picks one agent or all of them. */
function AgentPicker({ value, onAgent }: { value: string | null; onAgent: (agent: string | null) => void }) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(value ?? '')
  const q = useDebounced(typed === value ? '' : typed.trim().slice(0, maxSearchCharacters), 150)
  const found = useQuery({
    ...agentRead(deskAgentRoutes.listDeskAgents, agentFilter.query({ q })),
    enabled: open,
  })
  const labels = texts.cost.picker
  const agents = (found.data?.items ?? []).slice(0, maxOffered).map(({ name }) => name)
  return (
    <Select
      {...pickerProps}
      w={176}
      aria-label={names.agent}
      placeholder={texts.agent.all}
      leftSection={<IconRobot size={14} stroke={1.75} />}
      clearButtonProps={{ 'aria-label': texts.agent.all }}
      checkIconPosition="right"
      nothingFoundMessage={found.data === undefined ? labels.loading : labels.noMatches}
      // The server has already filtered the names.
      data={offered(agents, value)}
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
