import { texts } from '../services.texts.ts'
import classes from './sparkline.module.css'

const width = 120
const height = 18
/** Seconds per point. */
const step = 10

/** Recent requests as a line chart, with the values as a label for screen readers. */
export function Sparkline({ seconds }: { seconds: readonly number[] }) {
  const points = sums(seconds)
  const highest = Math.max(1, ...points)
  const line = points
    .map((value, at) => {
      const x = (at / Math.max(1, points.length - 1)) * (width - 2) + 1
      return `${x.toFixed(1)},${(height - 2 - (value / highest) * (height - 4)).toFixed(1)}`
    })
    .join(' ')
  return (
    <svg
      className={classes['line']}
      role="img"
      aria-label={texts.facts.sparkline(seconds.length, step, points)}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <polyline points={line} />
    </svg>
  )
}

function sums(seconds: readonly number[]): number[] {
  return Array.from({ length: Math.ceil(seconds.length / step) }, (_, at) =>
    seconds.slice(at * step, (at + 1) * step).reduce((sum, value) => sum + value, 0),
  )
}
