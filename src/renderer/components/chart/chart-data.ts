/** Colors of the theme that a series may have. */
export type ChartColor = 'c1' | 'c2' | 'c3' | 'c4' | 'c5' | 'bad' | 'ink3'

export interface ChartSeries {
  name: string
  /** By default c1 to c4 in order, then c5, which also fits a series for all others. */
  color?: ChartColor
}

export interface ChartPoint {
  /** Its full name: `10:00 to 11:00`. */
  title: string
  /** Its label on the axis: `10`. */
  tick: string
  /** One value per series, in the same order; null means unknown, which is not 0. */
  values: readonly (number | null)[]
  /** The forecast for the rest of the period, on top of the values. */
  forecast?: number | null
}

export interface ChartData {
  /** Bars are stacked; lines are not. */
  kind: 'bars' | 'lines'
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  /** A value with its unit: `$6.40`. */
  format: (value: number) => string
  /** A value on the axis, with as many digits as the step needs. */
  formatTick: (value: number, step: number) => string
  /** The unit, after the last label of the horizontal axis: `h`. */
  tickUnit?: string
  /** The current time as a position among the points: 10.5 is the middle of the eleventh. */
  now?: number | null
  /** Whether values are whole numbers, so that the axis has no fractions. */
  whole?: boolean
  /** A horizontal line; bars that reach it are shown as a problem. */
  limit?: { value: number; label: string }
}

/** The CSS value of a theme color. */
export function paint(color: ChartColor | 'ink2' | 'line' | 'line2' | 'accent-tint'): string {
  return `var(--desk-${color})`
}

const colors: readonly ChartColor[] = ['c1', 'c2', 'c3', 'c4']

export function colorAt(index: number): ChartColor {
  return colors[index] ?? 'c5'
}

/** The sum of the known values; null if none is known. */
export function sumOf({ values }: ChartPoint): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** The largest value that the chart must show. */
export function largestOf({ kind, points, limit }: ChartData): number {
  const tops = points.map((point) =>
    kind === 'bars'
      ? (sumOf(point) ?? 0) + (point.forecast ?? 0)
      : Math.max(0, ...point.values.map((value) => value ?? 0)),
  )
  return Math.max(limit?.value ?? 0, ...tops)
}

/** The values of a point in words, for the tooltip and for screen readers. */
export function linesOf({ kind, series, format }: ChartData, point: ChartPoint): string[] {
  const sum = sumOf(point)
  const forecast = point.forecast ?? null
  const toCome = forecast !== null && (sum ?? 0) === 0
  const several = kind === 'bars' && series.length > 1 && !toCome
  return [
    ...(several ? [`total ${sum === null ? 'unknown' : format(sum)}`] : []),
    ...(toCome
      ? []
      : series.flatMap(({ name }, index) => {
          const value = point.values[index] ?? null
          return several && value === 0 ? [] : [`${name} ${value === null ? 'unknown' : format(value)}`]
        })),
    ...(forecast === null
      ? []
      : [toCome ? `forecast ${format(forecast)}` : `forecast: ${format(forecast)} more`]),
  ]
}
