/** The layout of a chart, in px. */
export interface ChartBox {
  left: number
  right: number
  top: number
  bottom: number
  width: number
  height: number
  /** The center of a point. */
  xOf(place: number): number
  yOf(value: number): number
  /** The width of one point. */
  slot: number
}

const axisHeight = 20
const paddingTop = 12
/** The approximate width of a character on the axes. */
export const characterWidth = 6.2

export function boxOf(
  width: number,
  height: number,
  count: number,
  topValue: number,
  labels: readonly string[],
): ChartBox {
  const left = Math.ceil(Math.max(...labels.map((label) => label.length)) * characterWidth) + 10
  const right = Math.max(left + 1, width - 4)
  const bottom = height - axisHeight
  const slot = (right - left) / Math.max(1, count)
  return {
    left,
    right,
    top: paddingTop,
    bottom,
    width,
    height,
    slot,
    xOf: (place) => left + (place + 0.5) * slot,
    yOf: (value) => bottom - (Math.min(value, topValue) / topValue) * (bottom - paddingTop),
  }
}
