import { deskAgentCostRoutes } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentCost } from '../../../../shared/contracts/desk-agents-cost.ts'
import { Segmented } from '../../../components/list/segmented.tsx'
import { useNow } from '../../../lib/time/use-now.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import { AgentPicker } from '../agents/agent-picker.tsx'
import { BudgetSection } from './budget-section.tsx'
import { ReadPage } from '../components/read-page.tsx'
import classes from '../components/read-page.module.css'
import { EventSection } from './event-section.tsx'
import { ExportLinks } from '../table/export-links.tsx'
import { FigureRow } from '../components/figure-row.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { SpendChartFigure } from './spend-chart.tsx'
import { SpendTable } from './spend-table.tsx'
import { agentCostQuery } from './cost.api.ts'
import { costFilter, costPeriods, costQuery } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { costFigures, whyUnknown } from './cost-words.ts'
import { useViewFilter } from '../table/use-view-filter.ts'

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
          <PeriodPicker
            offered={costPeriods}
            value={filter}
            pathOf={(time) => costFilter.path({ ...filter, ...time })}
            onRange={show}
          />
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
  const by = chart?.by ?? filter.by
  const title = `Spend by ${chart?.bucket ?? 'day'} and ${by} (UTC)`
  const ways = (['model', 'agent'] as const).map((way) => ({
    key: way,
    label: way === 'model' ? 'Model' : 'Agent',
    href: costFilter.path({ ...filter, by: way }),
  }))
  return (
    <>
      <FigureRow figures={costFigures(cost, filter.period, now)} />
      {chart === null ? (
        <p className={classes['none']}>Spend in time is unknown: {whyUnknown(stamp, 'cost_events')}</p>
      ) : (
        <section className={classes['columns']} aria-label="Spend">
          <SpendChartFigure chart={chart} title={title} />
          <SpendTable by={by} rows={by === 'model' ? cost.byModel : cost.byAgent} together={cost.together}>
            <Segmented label="What is told apart" current={filter.by} segments={ways} />
            <ExportLinks
              routes={{
                csv: deskAgentCostRoutes.exportAgentCostCsv,
                json: deskAgentCostRoutes.exportAgentCostJson,
              }}
              query={costQuery(filter)}
              what="spend"
            />
          </SpendTable>
        </section>
      )}
    </>
  )
}
