/** Rows that follow each other, as the server gave them, and of how many. */
export interface ListPage<Row> {
  items: readonly Row[]
  /** Null while the rows are counted. */
  total: number | null
}

/** What a list knows of itself: rows in the places in which they were put, and what the server says by now. */
export interface StillList<Row> {
  total: number
  /** Whether `total` is only as far as has been read. */
  counting: boolean
  /** The keys of the rows by place: where they were put, and as they are listed now. */
  shown: ReadonlyMap<number, string>
  listed: ReadonlyMap<number, string>
  listedTotal: number
  /** Every row as it was read last. */
  rows: ReadonlyMap<string, Row>
}

/** What differs between the list as it is shown and as it is. */
export interface ListNews {
  /** More rows, or fewer. */
  added: number
}

export function emptyList<Row>(): StillList<Row> {
  return {
    total: 0,
    counting: true,
    shown: new Map(),
    listed: new Map(),
    listedTotal: 0,
    rows: new Map(),
  }
}

/** Brings in a page: rows that are in place stay there with their newest values; a place that has none gets its row. */
export function takePage<Row>(
  list: StillList<Row>,
  offset: number,
  page: ListPage<Row>,
  keyOf: (row: Row) => string,
  pageSize: number,
): StillList<Row> {
  const end = offset + page.items.length
  const listedTotal = page.total ?? (page.items.length === pageSize ? end + pageSize : end)
  const isFirst = list.shown.size === 0
  const total = isFirst ? listedTotal : list.counting ? Math.max(listedTotal, list.total) : list.total
  const rows = new Map(list.rows)
  const shown = new Map(list.shown)
  const isShorter = listedTotal < list.listedTotal
  const listed = new Map(isShorter ? [...list.listed].filter(([place]) => place < listedTotal) : list.listed)
  for (const [index, row] of page.items.entries()) {
    const key = keyOf(row)
    const place = offset + index
    rows.set(key, row)
    listed.set(place, key)
    if (place < total && !shown.has(place)) shown.set(place, key)
  }
  return { total, counting: list.counting && page.total === null, shown, listed, listedTotal, rows }
}

/** Puts every row where it is listed now. */
export function settle<Row>(list: StillList<Row>): StillList<Row> {
  return putIn(list, list.listed)
}

function putIn<Row>(list: StillList<Row>, listed: ReadonlyMap<number, string>): StillList<Row> {
  return withoutOthers({ ...list, shown: listed, listed, total: list.listedTotal })
}

function withoutOthers<Row>(list: StillList<Row>): StillList<Row> {
  const keys = new Set([...list.shown.values(), ...list.listed.values()])
  return { ...list, rows: new Map([...list.rows].filter(([key]) => keys.has(key))) }
}

/** So many rows before and after a page stay known. */
const near = 2000

/** Forgets rows that are far from the pages in sight, in a list of which many have been read. */
export function keepNear<Row>(
  list: StillList<Row>,
  offsets: readonly number[],
  pageSize: number,
): StillList<Row> {
  if (list.shown.size <= 2 * near) return list
  const isNear = ([place]: readonly [number, string]): boolean =>
    offsets.some((offset) => place >= offset - near && place < offset + pageSize + near)
  return withoutOthers({
    ...list,
    shown: new Map([...list.shown].filter(isNear)),
    listed: new Map([...list.listed].filter(isNear)),
  })
}

/** Null while the list is as it is shown. */
export function newsOf<Row>({
  shown,
  listed,
  total,
  listedTotal,
  counting,
}: StillList<Row>): ListNews | null {
  const added = counting ? 0 : listedTotal - total
  const isSame = added === 0 && [...shown].every(([place, key]) => (listed.get(place) ?? key) === key)
  return isSame ? null : { added }
}

export function rowAt<Row>({ shown, rows }: StillList<Row>, place: number): Row | undefined {
  const key = shown.get(place)
  return key === undefined ? undefined : rows.get(key)
}

/** Where the pages begin that hold places from `first` to `last`. */
export function pagesAround(first: number, last: number, pageSize: number): number[] {
  const from = Math.floor(Math.max(0, first) / pageSize)
  const pages = Math.floor(Math.max(first, last) / pageSize) - from + 1
  return Array.from({ length: pages }, (_, index) => (from + index) * pageSize)
}

// A log, to which rows are only added before the first one: its rows keep their places although the server counts every
// one of them further on.

/** By how many places the server counts further on. */
export function driftOf<Row>({ total, listedTotal, counting }: StillList<Row>): number {
  return counting ? 0 : Math.max(0, listedTotal - total)
}

/** Whether a page holds the rows that it was read for: one that was on its way while rows came does not. */
export function isInPlace<Row>(
  list: StillList<Row>,
  offset: number,
  { total }: ListPage<Row>,
  drift: number,
): boolean {
  return offset === 0 || list.shown.size === 0 || total === null || total - list.total === drift
}

/** Puts the first page where it is listed now; the others are read again, without a drift. */
export function settleNewest<Row>(list: StillList<Row>, pageSize: number): StillList<Row> {
  return putIn(list, new Map([...list.listed].filter(([place]) => place < pageSize)))
}
