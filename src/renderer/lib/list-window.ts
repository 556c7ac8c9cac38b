/** Rows that follow each other, as the server gave them. */
export interface RowsRead<Row> {
  /** How many the server lists before the first of these. */
  from: number
  rows: readonly Row[]
  total: number
}

/** What a long list knows of itself: the rows around what is looked at, each in its place. */
export interface ListWindow<Row> {
  /** The place of the first of these rows. */
  start: number
  rows: readonly Row[]
  /** How many places there are, with those whose rows have not been read. */
  total: number
  /** Of the rows: those that the server lists no more. They keep their places. */
  left: ReadonlySet<number>
  /** By how much a place is further on than the server counts it, at the first and the last row it lists. */
  drift: { head: number; tail: number }
  /** Grows by as many places as were added before the first, so that whoever scrolls can stay where they are. */
  origin: number
}

/** Places from one to before the other. */
export interface Places {
  first: number
  end: number
}

export function openWindow<Row>(
  { from, rows, total }: RowsRead<Row>,
  drift = 0,
  origin = 0,
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
 * Brings the rows up to date without moving one, and adds at both ends what was read beyond them. What is new
 * between them, or before the first place and after the last, waits until it is asked for; what is listed no
 * more stays as it was last seen.
 */
export function mergeRead<Row extends { id: number }>(
  window: ListWindow<Row>,
  read: RowsRead<Row>,
): ListWindow<Row> {
  const latest = new Map(read.rows.map((row) => [row.id, row]))
  const kept = window.rows.map((row) => latest.get(row.id) ?? row)
  const left = new Set(window.rows.flatMap(({ id }) => (latest.has(id) ? [] : [id])))
  const indexes = new Map(window.rows.map(({ id }, index) => [id, index]))
  const first = read.rows.findIndex(({ id }) => indexes.has(id))
  const last = read.rows.findLastIndex(({ id }) => indexes.has(id))
  const isHead = window.start === 0 && read.from === 0
  if (first === -1 && !isHead) return { ...window, rows: kept, left }

  const before = isHead || first === -1 ? [] : read.rows.slice(0, first)
  const room = window.total - window.start - window.rows.length
  const after = read.rows.slice(last + 1).slice(0, room)
  const placeOf = (index: number): number => window.start + (indexes.get(read.rows[index]?.id ?? 0) ?? 0)
  const end = window.start + window.rows.length
  const merged: ListWindow<Row> = {
    start: window.start - before.length,
    rows: [...before, ...kept, ...after],
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

/** The beginning was reached, and there were more or fewer rows than places before the first one. */
function moved<Row>(window: ListWindow<Row>, by: number): ListWindow<Row> {
  return {
    ...window,
    start: window.start + by,
    total: window.total + by,
    drift: { head: window.drift.head + by, tail: window.drift.tail + by },
    origin: window.origin + by,
  }
}

/** Drops rows that are far from what is looked at; their places stay. */
export function trimWindow<Row>(window: ListWindow<Row>, keep: Places): ListWindow<Row> {
  const from = Math.max(0, keep.first - window.start)
  const rows = window.rows.slice(from, Math.max(from, keep.end - window.start))
  return rows.length === window.rows.length ? window : { ...window, start: window.start + from, rows }
}

const step = 100
/** So many places beyond what is in sight are read ahead, and so many rows of a read lie outside of the window. */
const margin = 30

/** The places whose rows are wanted when these are in sight. */
export function wantedPlaces({ first, end }: Places, total: number): Places {
  return {
    first: Math.max(0, Math.floor((first - margin) / step) * step),
    end: Math.min(Math.ceil((end + margin) / step) * step, Math.max(total, step)),
  }
}

/** Whether rows for these places can be put to those of the window; else the window is given up. */
export function isNear<Row>(window: ListWindow<Row>, { first, end }: Places): boolean {
  return first <= window.start + window.rows.length && end >= window.start && window.rows.length > 0
}

/** What has to be read of the server for these places and all rows of the window, in whole steps. */
export function rangeToRead<Row>(
  window: ListWindow<Row> | null,
  wanted: Places,
): { from: number; to: number } {
  if (window === null) return whole(wanted.first, wanted.end)
  const first = Math.min(wanted.first, window.start)
  const end = Math.max(wanted.end, window.start + window.rows.length)
  return whole(first - window.drift.head - (first > 0 ? margin : 0), end - window.drift.tail)
}

function whole(from: number, to: number): { from: number; to: number } {
  const start = Math.max(0, Math.floor(from / step) * step)
  return { from: start, to: Math.max(start + step, Math.ceil(to / step) * step) }
}
