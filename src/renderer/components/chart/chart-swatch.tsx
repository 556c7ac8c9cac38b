import type { ReactNode } from 'react'
import { paint } from './chart-data.ts'
import type { ChartColor } from './chart-data.ts'
import classes from './chart.module.css'

/** Lines also differ in their dashes, not only in color. */
export const dashes: readonly string[] = ['none', '6 3', '2 3', '8 3 2 3', '1 4']

interface Props {
  kind: 'bars' | 'lines' | 'forecast'
  color: ChartColor
  index: number
}

/** The symbol of a series in the legend. */
export function ChartSwatch({ kind, color, index }: Props) {
  if (kind === 'lines') {
    return (
      <svg width={18} height={10} aria-hidden>
        <line
          x1={0}
          x2={18}
          y1={5}
          y2={5}
          stroke={paint(color)}
          strokeWidth={2}
          strokeDasharray={dashes[index]}
        />
      </svg>
    )
  }
  const forecast = kind === 'forecast'
  return (
    <svg width={10} height={10} aria-hidden>
      <rect
        x={forecast ? 0.5 : 0}
        y={forecast ? 0.5 : 0}
        width={forecast ? 9 : 10}
        height={forecast ? 9 : 10}
        rx={1.5}
        fill={forecast ? 'none' : paint(color)}
        stroke={forecast ? paint(color) : 'none'}
        strokeDasharray={forecast ? '2 2' : undefined}
      />
    </svg>
  )
}

/** What colors and shapes mean; each of its items begins with a swatch. */
export function ChartLegend({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes['legend']} aria-label={label}>
      {children}
    </ul>
  )
}
