import { useLocation, useSearch } from 'wouter'
import { deskAgentCostRoutes } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { AgentCost } from '../../../../shared/contracts/desk-agents-cost.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { useNow } from '../../../lib/time/use-now.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import { AgentPicker } from '../agents/agent-picker.tsx'
import { BudgetSection } from './budget-section.tsx'
import { Counting } from '../audit/counting.tsx'
import { EventSection } from '../agents/event-section.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { FigureRow } from '../overview/figure-row.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { SpendChartFigure } from './spend-chart.tsx'
import { SpendTable } from './spend-table.tsx'
import { ViewHead } from '../components/view-head.tsx'
import classes from '../chart-page.module.css'
import { agentCostQuery } from './cost.api.ts'
import { costPath, costPeriods, costQuery, readCostFilter } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { costFigures, whyUnknown } from './cost-words.ts'

/** What the agents cost: what was spent on what, what is expected, and how near the budgets are. */
export function CostPage() {
  useTitle('Cost')
  const [, navigate] = useLocation()
  const filter = readCostFilter(useSearch())
  const cost = useAgentRead(agentCostQuery(filter))
  const show = (next: CostFilter): void => navigate(costPath(next), { replace: true })
  const { data } = cost
  return (
    <>
      <ViewHead title="Cost" stamp={data?.stamp ?? null}>
        <PeriodPicker
          offered={costPeriods}
          value={filter.time}
          pathOf={(time) => costPath({ ...filter, time })}
          onRange={(time) => show({ ...filter, time })}
        />
        <AgentPicker value={filter.agent} onAgent={(agent) => show({ ...filter, agent })} />
      </ViewHead>
      <div className={classes['scroll']}>
        {cost.error !== null && (
          <ReadFailure error={cost.error} what="The cost cannot be read" retry={() => void cost.refetch()} />
        )}
        {data === undefined && cost.error === null && <ReadBones rows={8} height={32} what="the cost" />}
        {data !== undefined && <Spending cost={data} filter={filter} />}
        <BudgetSection filter={filter} />
        <EventSection filter={filter} isReady={data !== undefined} />
      </div>
    </>
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
    href: costPath({ ...filter, by: way }),
  }))
  return (
    <>
      <Counting stamp={stamp} />
      <FigureRow figures={costFigures(cost, filter.time.period, now)} />
      {chart === null ? (
        <p className={classes['none']}>Spend in time is unknown: {whyUnknown(stamp, 'cost_events')}</p>
      ) : (
        <section className={classes['columns']} aria-label="Spend">
          <SpendChartFigure chart={chart} title={title} />
          <SpendTable by={by} rows={by === 'model' ? cost.byModel : cost.byAgent} together={cost.together}>
            <Segmented label="What is told apart" current={filter.by} segments={ways} />
            <ExportLinks
              csv={deskAgentCostRoutes.exportAgentCostCsv}
              json={deskAgentCostRoutes.exportAgentCostJson}
              query={costQuery(filter)}
              what="spend"
            />
          </SpendTable>
        </section>
      )}
    </>
  )
}
