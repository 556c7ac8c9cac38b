/** Consecutive rows from the server, and the total number of rows. */
export interface ListPage<Row> {
  items: readonly Row[]
  /** Null while the rows are being counted. */
  total: number | null
}

/** A list whose rows keep their places, together with the places that the server gives them now. */
export interface StableList<Row> {
  total: number
  /** Whether `total` covers only the rows that have been read so far. */
  counting: boolean
  /** Row keys by place: as shown, and as listed by the server now. */
  shown: ReadonlyMap<number, string>
  listed: ReadonlyMap<number, string>
  listedTotal: number
  /** The latest version of every row, by key. */
  rows: ReadonlyMap<string, Row>
}

/** How the list as shown differs from the current one. */
export interface ListNews {
  /** Rows added; negative if there are fewer. */
  added: number
}

export function emptyList<Row>(): StableList<Row> {
  return {
    total: 0,
    counting: true,
    shown: new Map(),
    listed: new Map(),
    listedTotal: 0,
    rows: new Map(),
  }
}

/** Adds a page: rows in place get their latest values, and empty places get their rows. */
export function takePage<Row>(
  list: StableList<Row>,
  offset: number,
  page: ListPage<Row>,
  keyOf: (row: Row) => string,
  pageSize: number,
): StableList<Row> {
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

/** Moves every row to the place where it is listed now. */
export function settle<Row>(list: StableList<Row>): StableList<Row> {
  return arrange(list, list.listed)
}

function arrange<Row>(list: StableList<Row>, listed: ReadonlyMap<number, string>): StableList<Row> {
  return withoutOthers({ ...list, shown: listed, listed, total: list.listedTotal })
}

function withoutOthers<Row>(list: StableList<Row>): StableList<Row> {
  const keys = new Set([...list.shown.values(), ...list.listed.values()])
  return { ...list, rows: new Map([...list.rows].filter(([key]) => keys.has(key))) }
}

/** How many rows before and after a page are kept. */
const near = 2000

/** Drops rows far from the visible pages, once many have been read. */
export function keepNear<Row>(
  list: StableList<Row>,
  offsets: readonly number[],
  pageSize: number,
): StableList<Row> {
  if (list.shown.size <= 2 * near) return list
  const isNear = ([place]: readonly [number, string]): boolean =>
    offsets.some((offset) => place >= offset - near && place < offset + pageSize + near)
  return withoutOthers({
    ...list,
    shown: new Map([...list.shown].filter(isNear)),
    listed: new Map([...list.listed].filter(isNear)),
  })
}

/** Null if the list as shown is current. */
export function newsOf<Row>({
  shown,
  listed,
  total,
  listedTotal,
  counting,
}: StableList<Row>): ListNews | null {
  const added = counting ? 0 : listedTotal - total
  const isSame = added === 0 && [...shown].every(([place, key]) => (listed.get(place) ?? key) === key)
  return isSame ? null : { added }
}

export function rowAt<Row>({ shown, rows }: StableList<Row>, place: number): Row | undefined {
  const key = shown.get(place)
  return key === undefined ? undefined : rows.get(key)
}

/** The offsets of the pages that contain the places from `first` to `last`. */
export function pagesAround(first: number, last: number, pageSize: number): number[] {
  const from = Math.floor(Math.max(0, first) / pageSize)
  const pages = Math.floor(Math.max(first, last) / pageSize) - from + 1
  return Array.from({ length: pages }, (_, index) => (from + index) * pageSize)
}

// Below: a log, to which rows are only added at the start. Its rows keep their places although their offsets on the
// server grow.

/** By how much the server's offsets are larger than the places. */
export function driftOf<Row>({ total, listedTotal, counting }: StableList<Row>): number {
  return counting ? 0 : Math.max(0, listedTotal - total)
}

/** Whether a page contains the rows that it was read for; not if rows were added during the read. */
export function isInPlace<Row>(
  list: StableList<Row>,
  offset: number,
  { total }: ListPage<Row>,
  drift: number,
): boolean {
  return offset === 0 || list.shown.size === 0 || total === null || total - list.total === drift
}

/** Moves the first page to where it is listed now. The other pages must be read again, without a drift. */
export function settleNewest<Row>(list: StableList<Row>, pageSize: number): StableList<Row> {
  return arrange(list, new Map([...list.listed].filter(([place]) => place < pageSize)))
}
