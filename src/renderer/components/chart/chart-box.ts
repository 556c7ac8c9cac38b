/** Where things are in the picture, in px. */
export interface ChartBox {
  left: number
  right: number
  top: number
  bottom: number
  width: number
  height: number
  /** The middle of a point. */
  xOf(place: number): number
  yOf(value: number): number
  /** The width that a point has. */
  slot: number
}

const lowerAxis = 20
const upperRoom = 12
/** About the width of a letter on the axes. */
export const perLetter = 6.2

export function boxOf(
  width: number,
  height: number,
  count: number,
  topValue: number,
  labels: readonly string[],
): ChartBox {
  const left = Math.ceil(Math.max(...labels.map((label) => label.length)) * perLetter) + 10
  const right = Math.max(left + 1, width - 4)
  const bottom = height - lowerAxis
  const slot = (right - left) / Math.max(1, count)
  return {
    left,
    right,
    top: upperRoom,
    bottom,
    width,
    height,
    slot,
    xOf: (place) => left + (place + 0.5) * slot,
    yOf: (value) => bottom - (Math.min(value, topValue) / topValue) * (bottom - upperRoom),
  }
}
