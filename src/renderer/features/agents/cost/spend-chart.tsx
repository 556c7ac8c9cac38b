import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import type { SpendChart } from '../../../../shared/contracts/desk-agents-cost.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { useNow } from '../../../lib/time/use-now.ts'
import { whyUnknown } from './cost-figures.ts'
import { dollarTick, formatCents } from './money.ts'
import { spendData } from './spend-points.ts'
import { texts } from '../agents.texts.ts'

interface Props {
  chart: SpendChart | null
  stamp: AgentStamp
  /** By default what the chart is grouped by. */
  title?: string
  height?: number
}

/** Spend over time by model or by agent, with the forecast and a note on unpriced calls; or why it is unknown. */
export function SpendChartFigure({ chart, stamp, title, height = 220 }: Props) {
  const now = useNow()
  if (chart === null) return <p>{texts.cost.chart.unknown(whyUnknown(stamp, 'cost_events'))}</p>
  const calls = chart.buckets.reduce((sum, { spend }) => sum + spend.calls, 0)
  const unpriced = chart.buckets.reduce((sum, { spend }) => sum + spend.unpriced, 0)
  return (
    <Chart
      title={title ?? texts.cost.chart.title(chart.bucket, chart.by)}
      height={height}
      kind="bars"
      {...spendData(chart, now)}
      format={(dollars) => formatCents(dollars * 100)}
      formatTick={dollarTick}
      note={
        calls === 0
          ? texts.cost.chart.noCalls
          : unpriced === 0
            ? null
            : texts.cost.chart.unpriced(texts.cost.unpricedCalls(unpriced))
      }
    />
  )
}
