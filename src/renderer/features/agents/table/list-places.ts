/** Rows that follow each other, as the server gave them, and of how many. */
export interface ListPage<Row> {
  items: readonly Row[]
  /** Null while the rows are counted. */
  total: number | null
}

/** What a long list knows of itself: rows in the places in which they were put, and what the server says by now. */
export interface ListPlaces<Row> {
  total: number
  /** Whether `total` is only as far as has been read. */
  counting: boolean
  /** The keys of each page as they were put in place. */
  shown: ReadonlyMap<number, readonly string[]>
  /** The keys of each page as they are listed now. */
  listed: ReadonlyMap<number, readonly string[]>
  listedTotal: number
  /** Every row as it was read last. */
  rows: ReadonlyMap<string, Row>
}

/** What differs between the list as it is shown and as it is. */
export interface ListNews {
  /** More rows, or fewer. */
  added: number
}

export function emptyPlaces<Row>(): ListPlaces<Row> {
  return {
    total: 0,
    counting: true,
    shown: new Map(),
    listed: new Map(),
    listedTotal: 0,
    rows: new Map(),
  }
}

/** Brings in a page: rows that are in place stay there with their newest values; a page that is not gets its place. */
export function takePage<Row>(
  places: ListPlaces<Row>,
  offset: number,
  page: ListPage<Row>,
  keyOf: (row: Row) => string,
  pageSize: number,
): ListPlaces<Row> {
  const keys = page.items.map(keyOf)
  const end = offset + keys.length
  const total = page.total ?? (keys.length === pageSize ? end + pageSize : end)
  const rows = new Map(places.rows)
  for (const row of page.items) rows.set(keyOf(row), row)
  const isFirst = places.shown.size === 0
  return {
    total: isFirst ? total : places.counting ? Math.max(total, places.total) : places.total,
    counting: places.counting && page.total === null,
    shown: places.shown.has(offset) ? places.shown : new Map(places.shown).set(offset, keys),
    listed: new Map(places.listed).set(offset, keys),
    listedTotal: total,
    rows,
  }
}

/** Puts every row where it is listed now. */
export function settle<Row>(places: ListPlaces<Row>): ListPlaces<Row> {
  return { ...places, shown: places.listed, total: places.listedTotal }
}

/** Null while the list is as it is shown. */
export function newsOf<Row>({
  shown,
  listed,
  total,
  listedTotal,
  counting,
}: ListPlaces<Row>): ListNews | null {
  const added = counting ? 0 : listedTotal - total
  const isSame = added === 0 && [...shown].every(([offset, keys]) => isSameOrder(keys, listed.get(offset)))
  return isSame ? null : { added }
}

export function rowAt<Row>(places: ListPlaces<Row>, place: number, pageSize: number): Row | undefined {
  const offset = Math.floor(place / pageSize) * pageSize
  const key = places.shown.get(offset)?.[place - offset]
  return key === undefined ? undefined : places.rows.get(key)
}

/** Where the pages begin that hold places from `first` to `last`, and the first page, which counts. */
export function pagesAround(first: number, last: number, pageSize: number): number[] {
  const pages = new Set([0])
  for (let at = Math.floor(first / pageSize) * pageSize; at <= last; at += pageSize) pages.add(at)
  return [...pages]
}

function isSameOrder(a: readonly string[], b: readonly string[] | undefined): boolean {
  return b === undefined || (a.length === b.length && a.every((key, index) => key === b[index]))
}
