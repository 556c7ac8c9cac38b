/** A row that can be reordered. Featured rows come first, and rows never move between the two groups. */
interface Ordered {
  id: number
  featured: boolean
}

export interface NewOrder<Row> {
  rows: Row[]
  id: number
  /** The id of the row that follows; null at the end of the group. */
  before: number | null
}

/** Moves a row before or after another one; null if that changes nothing or leaves the group. */
export function moveNextTo<Row extends Ordered>(
  rows: readonly Row[],
  id: number,
  neighbor: { id: number; after: boolean },
): NewOrder<Row> | null {
  const row = rows.find((one) => one.id === id)
  const target = rows.find((one) => one.id === neighbor.id)
  if (row === undefined || target === undefined || row.id === target.id) return null
  if (row.featured !== target.featured) return null
  const others = rows.filter((one) => one.id !== id)
  const index = others.indexOf(target) + (neighbor.after ? 1 : 0)
  const moved = [...others.slice(0, index), row, ...others.slice(index)]
  if (moved.every((one, at) => one.id === rows[at]?.id)) return null
  const following = moved[index + 1]
  return { rows: moved, id, before: following?.featured === row.featured ? following.id : null }
}

/** Moves a row by one position within its group; null at the end of the group. */
export function moveByStep<Row extends Ordered>(
  rows: readonly Row[],
  id: number,
  step: 1 | -1,
): NewOrder<Row> | null {
  const index = rows.findIndex((one) => one.id === id)
  const target = index === -1 ? undefined : rows[index + step]
  return target === undefined ? null : moveNextTo(rows, id, { id: target.id, after: step === 1 })
}

/** Whether the rows that both lists contain are in a different order. */
export function hasOtherOrder(shown: readonly { id: number }[], read: readonly { id: number }[]): boolean {
  const known = new Set(shown.map(({ id }) => id))
  const listed = new Set(read.map(({ id }) => id))
  const now = read.filter(({ id }) => known.has(id))
  return shown.filter(({ id }) => listed.has(id)).some(({ id }, index) => now[index]?.id !== id)
}
