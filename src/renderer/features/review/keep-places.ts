/** What a list on the screen is made of: its rows in their places, and what the server said at that time. */
export interface Kept<Row extends { id: number }> {
  rows: readonly Row[]
  /** How many pages these rows come from. */
  pages: number
}

/**
 * Brings rows on the screen up to date without moving one: a row that the server lists no more stays as it was
 * last seen, a row that is new waits until it is asked for, and a further page is added at the end.
 */
export function keepPlaces<Row extends { id: number }>(
  kept: Kept<Row> | null,
  fresh: readonly Row[],
  pages: number,
): Kept<Row> {
  if (kept === null) return { rows: fresh, pages }
  const latest = new Map(fresh.map((row) => [row.id, row]))
  const rows = kept.rows.map((row) => latest.get(row.id) ?? row)
  if (pages <= kept.pages) return { rows, pages }
  const shown = new Set(rows.map(({ id }) => id))
  const last = fresh.findLastIndex(({ id }) => shown.has(id))
  const added = fresh.slice(last + 1).filter(({ id }) => !shown.has(id))
  return { rows: [...rows, ...added], pages }
}

/** The rows that are on the screen, but not in what the server lists now. */
export function leftRows<Row extends { id: number }>(shown: readonly Row[], fresh: readonly Row[]): Row[] {
  const listed = new Set(fresh.map(({ id }) => id))
  return shown.filter(({ id }) => !listed.has(id))
}
