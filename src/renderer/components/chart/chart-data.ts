/** Colours of the theme that a series may have. */
export type ChartColor = 'c1' | 'c2' | 'c3' | 'c4' | 'c5' | 'bad' | 'ink3'

export interface ChartSeries {
  name: string
  /** In order without one; what stands for all others has `c5`. */
  color?: ChartColor
}

export interface ChartPoint {
  /** Its whole name: `10:00 to 11:00`. */
  title: string
  /** What stands under it: `10`. */
  tick: string
  /** One for each series, in their order; null where it is unknown, which is not 0. */
  values: readonly (number | null)[]
  /** What is still to come, on top of the values. */
  expected?: number | null
}

export interface ChartData {
  /** Bars stand on each other; lines do not add up. */
  kind: 'bars' | 'lines'
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  /** A value with its unit: `$6.40`. */
  format: (value: number) => string
  /** The same on the axis, where all values have as many digits as the step needs. */
  formatTick: (value: number, step: number) => string
  /** Stands behind the last label of the lower axis: `h`. */
  tickUnit?: string
  /** The present moment as a place among the points: 10.5 is the middle of the eleventh. */
  now?: number | null
  /** Whether values are whole numbers, and lines between them have no meaning. */
  whole?: boolean
  /** A line that should not be reached. */
  limit?: { value: number; label: string }
}

/** A colour of the theme as a picture has it. */
export function paint(color: ChartColor | 'ink2' | 'line' | 'line2' | 'accent-tint'): string {
  return `var(--desk-${color})`
}

const colors: readonly ChartColor[] = ['c1', 'c2', 'c3', 'c4']

export function colorAt(index: number): ChartColor {
  return colors[index] ?? 'c5'
}

/** The sum of what is known; null where nothing is. */
export function sumOf({ values }: ChartPoint): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** How high the picture has to be. */
export function largestOf({ kind, points, limit }: ChartData): number {
  const tops = points.map((point) =>
    kind === 'bars'
      ? (sumOf(point) ?? 0) + (point.expected ?? 0)
      : Math.max(0, ...point.values.map((value) => value ?? 0)),
  )
  return Math.max(limit?.value ?? 0, ...tops)
}

/** What a point says in words, the same to the eye and to the ear. */
export function linesOf({ kind, series, format }: ChartData, point: ChartPoint): string[] {
  const sum = sumOf(point)
  const expected = point.expected ?? null
  const toCome = expected !== null && (sum ?? 0) === 0
  const several = kind === 'bars' && series.length > 1 && !toCome
  return [
    ...(several ? [`together ${sum === null ? 'unknown' : format(sum)}`] : []),
    ...(toCome
      ? []
      : series.flatMap(({ name }, index) => {
          const value = point.values[index] ?? null
          return several && value === 0 ? [] : [`${name} ${value === null ? 'unknown' : format(value)}`]
        })),
    ...(expected === null ? [] : [`${toCome ? 'expected' : 'still expected'} ${format(expected)}`]),
  ]
}
