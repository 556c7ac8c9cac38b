import { characterWidth } from './chart-box.ts'
import type { ChartBox } from './chart-box.ts'
import { paint } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'
import { labelStride } from './chart-scale.ts'
import classes from './chart.module.css'

interface Props extends ChartData {
  box: ChartBox
  ticks: readonly number[]
  labels: readonly string[]
}

/** Grid lines, axis labels and the limit line. */
export function ChartAxes({ box, ticks, labels, points, tickUnit, limit }: Props) {
  const longest = Math.max(1, ...points.map(({ tick }) => tick.length))
  const stride = labelStride(points.length, box.right - box.left, longest * characterWidth + 18)
  const last = points.length === 0 ? -1 : Math.floor((points.length - 1) / stride) * stride
  return (
    <g className={classes['axes']}>
      {ticks.map((value, index) => {
        const y = Math.round(box.yOf(value)) + 0.5
        return (
          <g key={value}>
            <line x1={box.left} x2={box.right} y1={y} y2={y} stroke={paint(index === 0 ? 'line2' : 'line')} />
            <text x={box.left - 8} y={y + 3.5} textAnchor="end">
              {labels[index]}
            </text>
          </g>
        )
      })}
      {points.map(({ tick }, place) => {
        if (place % stride !== 0) return null
        const label = place === last && tickUnit !== undefined ? `${tick} ${tickUnit}` : tick
        // Keeps the last label inside the chart.
        const x = Math.min(box.xOf(place), box.width - (label.length * characterWidth) / 2)
        return (
          // Points have no key but their index.
          // oxlint-disable-next-line react/no-array-index-key
          <text key={place} x={x} y={box.height - 4} textAnchor="middle">
            {label}
          </text>
        )
      })}
      {limit !== undefined && (
        <g>
          <line
            x1={box.left}
            x2={box.right}
            y1={Math.round(box.yOf(limit.value)) + 0.5}
            y2={Math.round(box.yOf(limit.value)) + 0.5}
            stroke={paint('bad')}
            strokeDasharray="4 3"
          />
          <text x={box.left + 2} y={box.yOf(limit.value) - 3}>
            {limit.label}
          </text>
        </g>
      )}
    </g>
  )
}
