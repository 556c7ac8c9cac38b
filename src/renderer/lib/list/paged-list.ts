/** Consecutive rows as the server listed them. */
export interface RowsRead<Row> {
  /** The server's offset of the first row. */
  from: number
  rows: readonly Row[]
  total: number
}

/** A page of a response. */
export interface ListPage {
  items: readonly unknown[]
  /** Null while the rows are being counted. */
  total: number | null
}
export type RowOf<Page extends ListPage> = Page['items'][number]

/** Consecutive pages as they were read. */
export interface Reads<Row> {
  reads: readonly RowsRead<Row>[]
  /** The number of rows at the last of these reads. */
  total: number
  /** Whether that is final. While rows are being counted, it has those read so far and, if a page is full, another one. */
  isCounted: boolean
}

export function readsOf<Page extends ListPage>(
  pages: readonly Page[],
  offsets: readonly number[],
  pageSize: number,
): Reads<RowOf<Page>> {
  const isCounted = pages.every(({ total }) => total !== null)
  const length = pages.at(-1)?.items.length ?? 0
  const soFar = (offsets.at(-1) ?? 0) + length + (length === pageSize ? pageSize : 0)
  const totalOf = (page: ListPage | undefined): number => (isCounted ? page?.total : null) ?? soFar
  return {
    reads: pages.map((page, index) => ({
      from: offsets[index] ?? 0,
      rows: page.items,
      total: totalOf(page),
    })),
    total: totalOf(pages.at(-1)),
    isCounted,
  }
}

/** The loaded rows of a long list around the visible ones, each at its place. */
export interface ListWindow<Row> {
  /** The place of the first row. */
  start: number
  rows: readonly Row[]
  /** The number of places, including those whose rows are not loaded. */
  total: number
  /** Keys of rows that the server no longer lists. They keep their places. */
  left: ReadonlySet<Key>
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

/** What distinguishes a row from all others. */
type Key = number | string
export type KeyOf<Row> = (row: Row) => Key
export const idOf: KeyOf<{ id: number }> = ({ id }) => id

/** Decides at which places loaded rows are shown. */
export interface Placement {
  /**
   * Adds consecutive pages, read for the places from `first`, to a window. A window without rows is opened at the
   * first page.
   */
  place: <Row>(
    window: ListWindow<Row>,
    pages: readonly RowsRead<Row>[],
    keyOf: KeyOf<Row>,
    first: number,
  ) => ListWindow<Row>
  /** How many places before the required ones are read too, to find known rows among them. */
  overlap: number
  /** Rows are always where the server lists them now. The previous filter's rows stay until the first page is loaded. */
  isLive?: true
}

/** For lists in which rows can be added, removed and moved anywhere: known rows are found by key and keep their places. */
export const byKey: Placement = {
  overlap: 30,
  place(window, pages, keyOf, first) {
    const read = joined(pages, keyOf)
    const placed =
      window.rows.length === 0
        ? openWindow(read, window.drift.head, window.origin)
        : mergeRead(window, read, keyOf)
    // Places before the required ones stay, also those of rows that are no longer listed.
    return first === 0 && read.from === 0 && placed.start !== 0 ? moved(placed, -placed.start) : placed
  },
}

/** For immutable rows that are only added at the start: a page's total says how far rows have moved. */
export const newestFirst: Placement = {
  overlap: 0,
  place: (window, pages) => pages.reduce(addCounted, window),
}

/** For lists that always show the server's current order. */
export const asListed: Placement = {
  overlap: 0,
  isLive: true,
  place(_window, pages, keyOf) {
    const { from, rows, total } = joined(pages, keyOf)
    return { ...emptyWindow(total), start: from, rows }
  },
}

/** How the rows as shown differ from the server's list. */
export interface ListNews {
  /** Rows added; negative if there are fewer. */
  added: number
}

/** The news in the pages that were placed last; null if the rows as shown are current. */
export function newsOf<Row>(
  { start, rows, total }: ListWindow<Row>,
  pages: readonly RowsRead<Row>[],
  keyOf: KeyOf<Row>,
): ListNews | null {
  const read = joined(pages, keyOf)
  const added = read.total - total
  const isSame = rows.every((row, index) => {
    const listed = read.rows[start + index - read.from]
    return listed === undefined || keyOf(listed) === keyOf(row)
  })
  return added === 0 && isSame ? null : { added }
}

export function emptyWindow<Row>(total: number, origin = 0): ListWindow<Row> {
  return { start: 0, rows: [], total, left: new Set(), drift: { head: 0, tail: 0 }, origin }
}

/** Two pages may contain the same row, if it moved between their reads. */
export function joined<Row>(pages: readonly RowsRead<Row>[], keyOf: KeyOf<Row>): RowsRead<Row> {
  const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [keyOf(row), row]))
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
    // Places after the end are requested, for example, by an old link.
    total: rows.length === 0 ? total + drift : Math.max(total + drift, start + rows.length),
    left: new Set(),
    drift: { head: drift, tail: drift },
    origin,
  }
}

/**
 * Updates rows without moving any, and adds rows that were read beyond both ends. New rows between known ones, before
 * the first place or after the last one are not shown until requested. Rows that are no longer listed keep their last
 * state, and rows that are listed elsewhere keep their places.
 */
function mergeRead<Row>(window: ListWindow<Row>, read: RowsRead<Row>, keyOf: KeyOf<Row>): ListWindow<Row> {
  const latest = new Map(read.rows.map((row) => [keyOf(row), row]))
  const updated = window.rows.map((row) => latest.get(keyOf(row)) ?? row)
  const left = new Set(window.rows.map(keyOf).filter((key) => !latest.has(key)))
  const places = new Map(window.rows.map((row, index) => [keyOf(row), window.start + index]))
  const listed = read.rows.map((row) => places.get(keyOf(row)))
  const inOrder = ascending(listed)
  const first = inOrder[0] ?? -1
  const last = inOrder.at(-1) ?? -1
  const isHead = window.start === 0 && read.from === 0
  if (first === -1 && !isHead) return { ...window, rows: updated, left }

  const unknownIn = (from: number, to?: number): Row[] =>
    read.rows.slice(from, to).filter((row) => !places.has(keyOf(row)))
  const before = isHead ? [] : unknownIn(0, first)
  const end = window.start + window.rows.length
  const following = unknownIn(last + 1)
  const after = following.slice(0, Math.max(0, window.total - end))
  const merged: ListWindow<Row> = {
    start: window.start - before.length,
    rows: [...before, ...updated, ...after],
    total: window.total,
    left,
    drift: {
      head: first === -1 ? 0 : (listed[first] ?? 0) - (read.from + first),
      tail: last === -1 ? end : (listed[last] ?? 0) - (read.from + last),
    },
    origin: window.origin,
  }
  const isEnd = after.length === following.length && read.from + read.rows.length >= read.total
  return isEnd ? { ...merged, total: merged.start + merged.rows.length } : merged
}

/** The indexes of the longest ascending sequence: of the known rows that have not moved relative to each other. */
function ascending(places: readonly (number | undefined)[]): number[] {
  /** By length, the index with which the sequence of this length with the lowest end ends. */
  const ends: number[] = []
  const before = new Map<number, number | undefined>()
  for (const [index, place] of places.entries()) {
    if (place === undefined) continue
    const length = ends.findLastIndex((end) => (places[end] ?? 0) < place) + 1
    before.set(index, ends[length - 1])
    ends[length] = index
  }
  const sequence: number[] = []
  for (let index: number | undefined = ends.at(-1); index !== undefined; index = before.get(index))
    sequence.push(index)
  return sequence.toReversed()
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

/** How many places are read ahead of the visible ones. */
const margin = 30

/** The places whose rows must be loaded when these are visible, rounded to pages. */
export function requiredPlaces({ first, end }: Places, total: number, pageSize: number): Places {
  return {
    first: Math.max(0, Math.floor((first - margin) / pageSize) * pageSize),
    end: Math.min(Math.ceil((end + margin) / pageSize) * pageSize, Math.max(total, pageSize)),
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
  pageSize: number,
): number[] {
  const before = rows.length === 0 || first === 0 ? 0 : overlap
  const from = Math.max(0, Math.floor((first - drift.head - before) / pageSize))
  const to = Math.max(from + 1, Math.ceil((end - drift.tail) / pageSize))
  return Array.from({ length: to - from }, (_, index) => (from + index) * pageSize)
}
