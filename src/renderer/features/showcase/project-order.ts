/** What is put in order: featured ones stand before all others, and no other one can get among them. */
export interface Ordered {
  id: number
  featured: boolean
}

export interface NewOrder<Row> {
  rows: Row[]
  id: number
  /** Before which one it stands then; null at the end of its group. */
  before: number | null
}

/** Puts a row to another one's place, or after it; null where that changes nothing or leaves its group. */
export function placeBeside<Row extends Ordered>(
  rows: readonly Row[],
  id: number,
  beside: { id: number; after: boolean },
): NewOrder<Row> | null {
  const row = rows.find((one) => one.id === id)
  const target = rows.find((one) => one.id === beside.id)
  if (row === undefined || target === undefined || row.id === target.id) return null
  if (row.featured !== target.featured) return null
  const others = rows.filter((one) => one.id !== id)
  const index = others.indexOf(target) + (beside.after ? 1 : 0)
  const moved = [...others.slice(0, index), row, ...others.slice(index)]
  if (moved.every((one, place) => one.id === rows[place]?.id)) return null
  const following = moved[index + 1]
  return { rows: moved, id, before: following?.featured === row.featured ? following.id : null }
}

/** Puts a row one place on or back within its group; null at the end of it. */
export function placeByStep<Row extends Ordered>(
  rows: readonly Row[],
  id: number,
  step: 1 | -1,
): NewOrder<Row> | null {
  const index = rows.findIndex((one) => one.id === id)
  const target = index === -1 ? undefined : rows[index + step]
  return target === undefined ? null : placeBeside(rows, id, { id: target.id, after: step === 1 })
}

/** Whether those that both have stand in another order. */
export function isOtherOrder(shown: readonly { id: number }[], read: readonly { id: number }[]): boolean {
  const known = new Set(shown.map(({ id }) => id))
  const listed = new Set(read.map(({ id }) => id))
  const now = read.filter(({ id }) => known.has(id))
  return shown.filter(({ id }) => listed.has(id)).some(({ id }, index) => now[index]?.id !== id)
}
