import { useQueries } from '@tanstack/react-query'
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { ListWindow, Places } from './paged-list.ts'

interface Identified {
  id: number
}

/** So many rows around those in sight are kept up to date after the server stopped listing them. */
const MARGIN = 10

/**
 * The rows of a list from which decided items disappear. A row that the server no longer lists keeps its place until the
 * list is put in place again; near what is in sight it shows the item itself, read by `query`, as it is now.
 */
export function useLeftRows<Row extends Identified, Item extends Identified, Key extends QueryKey>(
  { window: { rows, start, left }, inSight }: { window: ListWindow<Row>; inSight: Places },
  query: (id: number) => UseQueryOptions<Item, Error, Item, Key>,
  update: (row: Row, item: Item) => Row,
): readonly Row[] {
  const gone = rows.filter(
    ({ id }, index) =>
      left.has(id) && start + index >= inSight.first - MARGIN && start + index < inSight.end + MARGIN,
  )
  const states = useQueries({ queries: gone.map(({ id }) => query(id)) })
  const found = new Map(states.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])))
  return rows.map((row) => {
    const item = left.has(row.id) ? found.get(row.id) : undefined
    return item === undefined ? row : update(row, item)
  })
}

interface Walked<Row> {
  rows: readonly Row[]
  /** Place of the first of `rows`. */
  start: number
  total: number
  inSight: Places
  /** Rows that follow after the list's end. */
  recent: readonly Row[]
  isWaiting(row: Row): boolean
}

export interface RowWalk<Row> {
  rowAt(place: number): Row | undefined
  placeOf(id: number | null): number | null
  /** The row after or before one, beyond the end of the list too; the first in sight where there is no such row. */
  neighbour(id: number | null, step: 1 | -1): number | undefined
  /** The waiting row after this one on the screen, else the one before it. */
  nextPending(id: number | null): number | undefined
}

/** How a person goes from row to row of a list in which items are decided one after the other. */
export function walkRows<Row extends Identified>(list: Walked<Row>): RowWalk<Row> {
  const { rows, start, total, inSight, recent, isWaiting } = list
  const rowAt = (place: number): Row | undefined => rows[place - start]
  const placeOf = (id: number | null): number | null => {
    const index = rows.findIndex((row) => row.id === id)
    return index === -1 ? null : start + index
  }
  return {
    rowAt,
    placeOf,
    neighbour(id, step) {
      const later = recent.findIndex((row) => row.id === id)
      const place = placeOf(id) ?? (later === -1 ? null : total + later)
      if (place === null) return (rowAt(inSight.first) ?? rows[0] ?? recent[0])?.id
      const next = place + step
      return (next < total ? rowAt(next) : recent[next - total])?.id
    },
    nextPending(id) {
      const index = rows.findIndex((row) => row.id === id)
      const waits = (row: Row): boolean => row.id !== id && isWaiting(row)
      return (rows.slice(index + 1).find(waits) ?? rows.slice(0, Math.max(0, index)).findLast(waits))?.id
    },
  }
}
