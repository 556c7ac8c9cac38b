/** Milliseconds that one slice should take: the longest that the owner of the file waits for us. */
const sliceMs = 25
const fewestRows = 10_000
const mostRows = 200_000

/** How many rows the next slice should look at, after one that looked at `rows` and took `ms`. */
export function nextSlice(rows: number, ms: number): number {
  const fitting = Math.round((rows * sliceMs) / Math.max(ms, 0.1))
  // No more than four times as many at once: one quick slice says little.
  return Math.min(Math.max(Math.min(fitting, rows * 4), fewestRows), mostRows)
}

export const firstSlice = 10_000
