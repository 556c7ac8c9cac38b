import { plural } from '../../../lib/format.ts'
import classes from './sparkline.module.css'

const width = 120
const height = 18
/** Seconds of one point. */
const step = 10

/** Requests of the last seconds as a line, and the same in words for whoever does not see it. */
export function Sparkline({ seconds }: { seconds: readonly number[] }) {
  const points = sums(seconds)
  const most = Math.max(1, ...points)
  const line = points
    .map((value, at) => {
      const x = (at / Math.max(1, points.length - 1)) * (width - 2) + 1
      return `${x.toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`
    })
    .join(' ')
  return (
    <svg
      className={classes['line']}
      role="img"
      aria-label={`Requests of the last ${plural(seconds.length, 'second')}, in steps of ${step} s, oldest first: ${points.join(', ')}`}
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
