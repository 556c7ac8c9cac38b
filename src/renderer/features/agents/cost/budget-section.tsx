import { IconReportMoney } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { budgetTable } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { ChartLegend, ChartSwatch } from '../../../components/chart/chart-swatch.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { AgentLink, Quiet } from '../components/values.tsx'
import { TableSection } from '../table/table-section.tsx'
import { barPlaces, barLabel, forecastOf, thresholdNote, formatUsed } from './budget-facts.ts'
import { names, texts } from '../agents.texts.ts'
import classes from './budget.module.css'
import { budgetQuery } from './period.ts'
import type { CostState } from './period.ts'
import { formatCents } from './money.ts'

const columns: readonly DataColumn<AgentBudget>[] = [
  {
    label: names.agent,
    width: [110, 1],
    cell: ({ agent, state }) =>
      state === null ? <span title={texts.values.noSuchAgent}>{agent}</span> : <AgentLink name={agent} />,
  },
  { label: names.period, width: 52, cell: 'period' },
  { label: names.budgetBar, width: [140, 2.6], cell: (budget) => <BudgetTrack budget={budget} /> },
  {
    label: names.spentOfBudget,
    width: [150, 0.9],
    numeric: true,
    cell: ({ spentCents, budgetCents }) => (
      <Quiet>
        {spentCents === null ? texts.unknown : <b>{formatCents(spentCents)}</b>}{' '}
        {texts.budgets.of(formatCents(budgetCents))}
      </Quiet>
    ),
  },
  {
    label: names.used,
    width: 76,
    numeric: true,
    cell: (budget) => flagged(formatUsed(budget.usedPercent), thresholdNote(budget), budget.mark === 'over'),
  },
  { label: names.forecast, width: [88, 0.6], numeric: true, cell: forecastCell },
  { label: names.action, width: 60, cell: 'action' },
]

function forecastCell(budget: AgentBudget) {
  const { text, isOver } = forecastOf(budget)
  const warning = isOver && budget.mark !== 'over' ? texts.budgets.overForecast : null
  return flagged(text, warning, false, budget.endsAt === null ? undefined : texts.budgets.by(budget.endsAt))
}

/** A number, as a badge if there is a warning. */
function flagged(number: string, warning: string | null, isBad: boolean, title?: string): ReactNode {
  if (warning === null) return <span title={title}>{number}</span>
  const tooltip = title === undefined ? warning : `${warning}, ${title}`
  return <Badge tone={isBad ? 'bad' : 'warn'} label={warning} title={tooltip} text={number} />
}

/** The budgets, closest to their limit first. */
export function BudgetSection({ state }: { state: CostState }) {
  const { filter, pathTo } = state
  const { none, noneOverThreshold, showAll } = texts.budgets
  return (
    <TableSection
      title={texts.budgets.title}
      noun={texts.budgets.noun}
      table="cost_budgets"
      routes={budgetTable}
      query={budgetQuery(filter)}
      columns={columns}
      keyOf={({ agent }) => agent}
      filter={
        <FieldSegments
          label={texts.budgets.filter}
          state={state}
          field="marked"
          options={[
            [false, texts.all],
            [true, texts.budgets.overThreshold],
          ]}
        />
      }
      note={texts.budgets.note}
      empty={{
        icon: IconReportMoney,
        title: filter.marked ? noneOverThreshold : none(filter.agent),
        all: filter.marked ? { href: pathTo({ marked: false }), label: showAll } : null,
      }}
      legend={<BudgetLegend />}
    />
  )
}

/** A bar with the spend, the forecast, the alert threshold and the limit of a budget. */
export function BudgetTrack({ budget }: { budget: AgentBudget }) {
  const { spent, forecast, threshold, limit } = barPlaces(budget)
  const percent = (place: number): string => `${place}%`
  return (
    <span className={classes['track']} role="img" aria-label={barLabel(budget)} title={barLabel(budget)}>
      {forecast !== null && forecast > (spent ?? 0) && (
        <span
          className={classes['forecast']}
          style={{ left: percent(spent ?? 0), width: percent(forecast - (spent ?? 0)) }}
        />
      )}
      {spent !== null && (
        <span className={classes['spent']} data-mark={budget.mark} style={{ width: percent(spent) }} />
      )}
      <span className={classes['limit']} style={{ left: percent(limit) }} />
      {threshold !== null && <span className={classes['threshold']} style={{ left: percent(threshold) }} />}
    </span>
  )
}

/** The legend of the bars. */
function BudgetLegend() {
  const { legend } = texts.budgets
  const items = {
    [legend.spent]: <ChartSwatch kind="bars" color="c1" index={0} />,
    [legend.forecast]: <ChartSwatch kind="forecast" color="ink3" index={0} />,
    [legend.threshold]: <i className={classes['threshold']} aria-hidden />,
    [legend.limit]: <i className={classes['limit']} aria-hidden />,
  }
  return (
    <ChartLegend>
      {Object.entries(items).map(([label, swatch]) => (
        <li key={label}>
          {swatch} {label}
        </li>
      ))}
    </ChartLegend>
  )
}
