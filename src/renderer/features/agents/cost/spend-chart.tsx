import type { SpendChart } from '../../../../shared/contracts/desk-agents-cost.ts'
import { Chart } from '../../../components/chart/chart.tsx'
import { plural } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { dollarTick, formatCents } from './money.ts'
import { spendData } from './spend-points.ts'

interface Props {
  chart: SpendChart
  title: string
  height?: number
}

/** Spend over time by model or by agent, what is expected, and what has no price. */
export function SpendChartFigure({ chart, title, height = 220 }: Props) {
  const now = useNow()
  const calls = chart.buckets.reduce((sum, { spend }) => sum + spend.calls, 0)
  const unpriced = chart.buckets.reduce((sum, { spend }) => sum + spend.unpriced, 0)
  return (
    <Chart
      title={title}
      height={height}
      kind="bars"
      {...spendData(chart, now)}
      format={(dollars) => formatCents(dollars * 100)}
      formatTick={dollarTick}
      note={
        calls === 0
          ? 'No calls in this time.'
          : unpriced === 0
            ? null
            : `${plural(unpriced, 'call')} without price; not counted as $0.`
      }
    />
  )
}
