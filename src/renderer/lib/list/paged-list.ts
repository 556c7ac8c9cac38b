/** Consecutive rows as the server listed them. */
export interface RowsRead<Row> {
  /** The server's offset of the first row. */
  from: number
  rows: readonly Row[]
  total: number
}

/** The loaded rows of a long list around the visible ones, each at its place. */
export interface ListWindow<Row> {
  /** The place of the first row. */
  start: number
  rows: readonly Row[]
  /** The number of places, including those whose rows are not loaded. */
  total: number
  /** Ids of rows that the server no longer lists. They keep their places. */
  left: ReadonlySet<Id>
  /** Place minus the server's offset, at the first and at the last row of the window. */
  drift: { head: number; tail: number }
  /** Grows by the number of places added before the first one, so that the scroll position can be adjusted. */
  origin: number
}

/** The places from `first` up to, but not including, `end`. */
export interface Places {
  first: number
  end: number
}

/** Decides at which places loaded rows are shown. */
export interface Placement<Row> {
  /** Adds consecutive pages to a window. A window without rows is opened at the first page. */
  place(window: ListWindow<Row>, pages: readonly RowsRead<Row>[]): ListWindow<Row>
  /** How many places before the required ones are read too, to find known rows among them. */
  overlap: number
  /** Rows are always where the server lists them now. The previous filter's rows stay until the first page is loaded. */
  isLive?: true
}

type Id = number | string
interface Identified {
  id: Id
}

/** For lists in which rows can be added and removed anywhere: known rows are found by id and keep their places. */
export const byId = {
  overlap: 30,
  place<Row extends Identified>(window: ListWindow<Row>, pages: readonly RowsRead<Row>[]): ListWindow<Row> {
    const read = joined(pages)
    return window.rows.length === 0
      ? openWindow(read, window.drift.head, window.origin)
      : mergeRead(window, read)
  },
}

/** For immutable rows that are only added at the start: a page's total says how far rows have moved. */
export const newestFirst = {
  overlap: 0,
  place<Row>(window: ListWindow<Row>, pages: readonly RowsRead<Row>[]): ListWindow<Row> {
    return pages.reduce(addCounted, window)
  },
}

/** For lists that always show the server's current order. */
export const asListed = {
  overlap: 0,
  isLive: true as const,
  place<Row extends Identified>(_window: ListWindow<Row>, pages: readonly RowsRead<Row>[]): ListWindow<Row> {
    const read = joined(pages)
    return { ...emptyWindow<Row>(read.total), start: read.from, rows: read.rows }
  },
}

export function emptyWindow<Row>(total: number, origin = 0): ListWindow<Row> {
  return { start: 0, rows: [], total, left: new Set(), drift: { head: 0, tail: 0 }, origin }
}

/** Two pages may contain the same row, if it moved between their reads. */
export function joined<Row extends Identified>(pages: readonly RowsRead<Row>[]): RowsRead<Row> {
  const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row]))
  return { from: pages[0]?.from ?? 0, rows: [...rows.values()], total: pages.at(-1)?.total ?? 0 }
}

function openWindow<Row>(
  { from, rows, total }: RowsRead<Row>,
  drift: number,
  origin: number,
): ListWindow<Row> {
  const start = from + drift
  return {
    start,
    rows,
    total: Math.max(total + drift, start + rows.length),
    left: new Set(),
    drift: { head: drift, tail: drift },
    origin,
  }
}

/**
 * Updates rows without moving any, and adds rows that were read beyond both ends. New rows between known ones, before
 * the first place or after the last one are not shown until requested. Rows that are no longer listed keep their last
 * state.
 */
function mergeRead<Row extends Identified>(window: ListWindow<Row>, read: RowsRead<Row>): ListWindow<Row> {
  const latest = new Map(read.rows.map((row) => [row.id, row]))
  const updated = window.rows.map((row) => latest.get(row.id) ?? row)
  const left = new Set(window.rows.flatMap(({ id }) => (latest.has(id) ? [] : [id])))
  const indexes = new Map(window.rows.map(({ id }, index) => [id, index]))
  const first = read.rows.findIndex(({ id }) => indexes.has(id))
  const last = read.rows.findLastIndex(({ id }) => indexes.has(id))
  const isHead = window.start === 0 && read.from === 0
  if (first === -1 && !isHead) return { ...window, rows: updated, left }

  const before = isHead || first === -1 ? [] : read.rows.slice(0, first)
  const room = window.total - window.start - window.rows.length
  const after = read.rows.slice(last + 1).slice(0, room)
  const placeOf = (index: number): number => window.start + (indexes.get(read.rows[index]?.id ?? 0) ?? 0)
  const end = window.start + window.rows.length
  const merged: ListWindow<Row> = {
    start: window.start - before.length,
    rows: [...before, ...updated, ...after],
    total: window.total,
    left,
    drift: {
      head: first === -1 ? 0 : placeOf(first) - (read.from + first),
      tail: first === -1 ? end : placeOf(last) - (read.from + last),
    },
    origin: window.origin,
  }
  const isStart = read.from === 0 && before.length === first
  const settled = isStart && merged.start !== 0 ? moved(merged, -merged.start) : merged
  const isEnd = read.from + last + 1 + after.length >= read.total
  return isEnd ? { ...settled, total: settled.start + settled.rows.length } : settled
}

/** Shifts all places: the start of the list was reached with more or fewer rows than there were places. */
function moved<Row>(window: ListWindow<Row>, by: number): ListWindow<Row> {
  return {
    ...window,
    start: window.start + by,
    total: window.total + by,
    drift: { head: window.drift.head + by, tail: window.drift.tail + by },
    origin: window.origin + by,
  }
}

/** Adds a page by its total. Rows newer than the first place are left out. */
function addCounted<Row>(window: ListWindow<Row>, { from, rows, total }: RowsRead<Row>): ListWindow<Row> {
  const drift = window.total - total
  const newer = Math.min(rows.length, Math.max(0, -(from + drift)))
  const start = from + newer + drift
  const end = from + rows.length + drift
  const known = { start: window.start, end: window.start + window.rows.length }
  const next = { ...window, drift: { head: drift, tail: drift } }
  if (window.rows.length === 0) return { ...next, start: Math.max(0, start), rows: rows.slice(newer) }
  if (newer === rows.length || start > known.end || end < known.start) return next
  return {
    ...next,
    start: Math.min(start, known.start),
    rows: [
      ...window.rows.slice(0, Math.max(0, start - known.start)),
      ...rows.slice(newer),
      ...window.rows.slice(Math.max(0, end - known.start)),
    ],
  }
}

/** Drops rows outside `keep`; their places stay. */
export function trimWindow<Row>(window: ListWindow<Row>, keep: Places): ListWindow<Row> {
  const from = Math.max(0, keep.first - window.start)
  const rows = window.rows.slice(from, Math.max(from, keep.end - window.start))
  return rows.length === window.rows.length ? window : { ...window, start: window.start + from, rows }
}

/** The size of a page. */
const step = 100
/** How many places are read ahead of the visible ones. */
const margin = 30

/** The places whose rows must be loaded when these are visible, rounded to pages. */
export function requiredPlaces({ first, end }: Places, total: number): Places {
  return {
    first: Math.max(0, Math.floor((first - margin) / step) * step),
    end: Math.min(Math.ceil((end + margin) / step) * step, Math.max(total, step)),
  }
}

/** The same window if these places adjoin its rows, else an empty window at these places. */
export function windowAt<Row>(window: ListWindow<Row>, { first, end }: Places): ListWindow<Row> {
  const { start, rows, drift } = window
  if (rows.length > 0 && first <= start + rows.length && end >= start) return window
  const there = first < start ? drift.head : drift.tail
  return { ...window, start: first, rows: [], left: new Set(), drift: { head: there, tail: there } }
}

/** The offsets of the pages to read for these places. */
export function pagesFor<Row>(
  { rows, drift }: ListWindow<Row>,
  { first, end }: Places,
  overlap: number,
): number[] {
  const before = rows.length === 0 || first === 0 ? 0 : overlap
  const from = Math.max(0, Math.floor((first - drift.head - before) / step))
  const to = Math.max(from + 1, Math.ceil((end - drift.tail) / step))
  return Array.from({ length: to - from }, (_, index) => (from + index) * step)
}
