/** About four ticks from zero to at least the largest value, in round steps. */
export function ticksFor(largest: number, whole = false): { step: number; top: number; ticks: number[] } {
  if (!(largest > 0) || !Number.isFinite(largest)) return { step: 1, top: 1, ticks: [0, 1] }
  const rough = largest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const counted = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power
  const step = whole ? Math.max(1, Math.ceil(counted)) : counted
  const count = Math.max(1, Math.ceil(largest / step - 1e-9))
  return {
    step,
    top: count * step,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  }
}

/** The smallest interval at which labels fit in the width, from counts that divide hours and days evenly. */
export function labelStride(count: number, width: number, labelWidth: number): number {
  const fitting = Math.max(1, Math.floor(width / labelWidth))
  const minimum = Math.ceil(count / fitting)
  return [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 48, 60].find((stride) => stride >= minimum) ?? minimum
}

/** The start and end of each stacked part, from the bottom up. Unknown parts take no space. */
export function stack(values: readonly (number | null)[]): { from: number; to: number }[] {
  let sum = 0
  return values.map((value) => {
    const from = sum
    sum += Math.max(0, value ?? 0)
    return { from, to: sum }
  })
}

/** The pieces of a line between unknown values. */
export function linePieces(values: readonly (number | null)[]): [place: number, value: number][][] {
  const pieces: [number, number][][] = []
  let open: [number, number][] | null = null
  for (const [place, value] of values.entries()) {
    if (value === null) {
      open = null
    } else if (open === null) {
      open = [[place, value]]
      pieces.push(open)
    } else {
      open.push([place, value])
    }
  }
  return pieces
}
