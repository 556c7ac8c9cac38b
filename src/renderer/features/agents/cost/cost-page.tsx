import type { AgentCost } from '../../../../shared/contracts/desk-agents-cost.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentCostQuery } from '../agents.api.ts'
import { AgentPicker } from '../agents/agent-picker.tsx'
import { Figures } from '../components/figures.tsx'
import { Columns, ReadPage } from '../components/view.tsx'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { BudgetSection } from './budget-section.tsx'
import { costFilter, costPeriods } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { costFigures, whyUnknown } from './cost-words.ts'
import { EventSection } from './event-section.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { SpendChartFigure } from './spend-chart.tsx'
import { SpendSection } from './spend-section.tsx'

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
