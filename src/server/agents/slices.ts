/** Target time of one slice in milliseconds: the longest the owner of the file waits for us. */
const sliceMs = 25
export const firstSlice = 10_000
const maxRows = 200_000

/** The number of rows for the next slice, after one of `rows` rows took `ms`. */
export function nextSlice(rows: number, ms: number): number {
  const fitting = Math.round((rows * sliceMs) / Math.max(ms, 0.1))
  // At most four times as many, because a single fast slice says little.
  return Math.min(Math.max(Math.min(fitting, rows * 4), firstSlice), maxRows)
}
