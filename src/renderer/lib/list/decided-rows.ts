import { useQueries } from '@tanstack/react-query'
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { ListWindow, Places } from './paged-list.ts'

interface Identified {
  id: number
}

/** How many rows before and after the visible ones stay current after the server has stopped listing them. */
const MARGIN = 10

/**
 * The rows of a list whose items leave it when they are decided. A row that the server no longer lists keeps its place
 * until the list is arranged again. Near the visible rows it shows the item's current state, read with `query`.
 */
export function useUnlistedRows<Row extends Identified, Item extends Identified, Key extends QueryKey>(
  { window: { rows, start, left }, visible }: { window: ListWindow<Row>; visible: Places },
  query: (id: number) => UseQueryOptions<Item, Error, Item, Key>,
  update: (row: Row, item: Item) => Row,
): readonly Row[] {
  const unlisted = rows.filter(
    ({ id }, index) =>
      left.has(id) && start + index >= visible.first - MARGIN && start + index < visible.end + MARGIN,
  )
  const states = useQueries({ queries: unlisted.map(({ id }) => query(id)) })
  const found = new Map(states.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])))
  return rows.map((row) => {
    const item = left.has(row.id) ? found.get(row.id) : undefined
    return item === undefined ? row : update(row, item)
  })
}

interface RowWalkOptions<Row> {
  rows: readonly Row[]
  /** The place of the first of `rows`. */
  start: number
  total: number
  visible: Places
  /** Rows shown after the end of the list. */
  recent: readonly Row[]
  isWaiting(row: Row): boolean
}

export interface RowWalk<Row> {
  rowAt(place: number): Row | undefined
  placeOf(id: number | null): number | null
  /** The row after or before `id`, including recent rows; the first visible row if `id` is not in the list. */
  neighbor(id: number | null, step: 1 | -1): number | undefined
  /** The next pending row after this one, else the last one before it. */
  nextPending(id: number | null): number | undefined
}

/** Moving from row to row in a list whose items are decided one after the other. */
export function walkRows<Row extends Identified>(list: RowWalkOptions<Row>): RowWalk<Row> {
  const { rows, start, total, visible, recent, isWaiting } = list
  const rowAt = (place: number): Row | undefined => rows[place - start]
  const placeOf = (id: number | null): number | null => {
    const index = rows.findIndex((row) => row.id === id)
    return index === -1 ? null : start + index
  }
  return {
    rowAt,
    placeOf,
    neighbor(id, step) {
      const later = recent.findIndex((row) => row.id === id)
      const place = placeOf(id) ?? (later === -1 ? null : total + later)
      if (place === null) return (rowAt(visible.first) ?? rows[0] ?? recent[0])?.id
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
