import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { emptyWindow, pagesFor, trimWindow, wantedPlaces, windowAt } from './paged-list.ts'
import type { ListWindow, Placement, Places, RowsRead } from './paged-list.ts'

interface ListPage {
  items: readonly unknown[]
  total: number
}
type RowOf<Page extends ListPage> = Page['items'][number]

interface Options<Page extends ListPage, Key extends QueryKey> {
  /** Reads 100 rows from an offset on. Another key for the first page is another list. */
  page: (offset: number) => UseQueryOptions<Page, Error, Page, Key>
  placement: Placement<RowOf<Page>>
  /** A number that only grows by what is new to this list; by default its total. */
  count?: (page: Page) => number
}

interface Shown<Page extends ListPage> {
  list: string
  window: ListWindow<RowOf<Page>>
  /** The pages that were placed last, and the places they were placed for. */
  pages: readonly Page[]
  reads: readonly RowsRead<RowOf<Page>>[]
  last: Page
  wanted: Places
  /** What news is counted against; another object each time the rows are put in place. */
  baseline: { counted: number }
}

const top: Places = { first: 0, end: 1 }
const totalOf = ({ total }: ListPage): number => total

/** What a view needs to show a list. */
export interface PagedList<Row> {
  /** The number of places, including those whose rows have not been read. */
  total: number
  /** As on the screen; undefined until it has been read. */
  rowAt(place: number): Row | undefined
  /** Tells which places are in sight, so that their rows are read. */
  look(places: Places): void
}

/** A long list: pages around what is in sight are read, and no row moves until the news is asked for. */
export function usePagedList<Page extends ListPage, Key extends QueryKey>({
  page,
  placement,
  count = totalOf,
}: Options<Page, Key>) {
  const list = JSON.stringify(page(0).queryKey)
  const [sight, setSight] = useState({ list, places: top })
  const [shown, setShown] = useState<Shown<Page> | null>(null)
  const inSight = sight.list === list ? sight.places : top

  let current = shown?.list === list ? shown : null
  const wanted = wantedPlaces(inSight, current?.window.total ?? 0)
  const window = windowAt(current?.window ?? emptyWindow<RowOf<Page>>(0), wanted)
  const offsets = pagesFor(window, wanted, placement.overlap)
  const queries = useQueries({ queries: offsets.map(page) })
  const pages = queries.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const last = pages.at(-1)
  const isFetching = queries.some((query) => query.isFetching)
  // Cached pages may be old, and pages of different times don't fit together.
  const isRead = pages.length === queries.length && (!isFetching || placement.isLive === true)
  if (isRead && last !== undefined && !isPlaced(current, pages, wanted)) {
    const reads = pages.map(({ items, total }, index) => ({ from: offsets[index] ?? 0, rows: items, total }))
    const base = current === null ? emptyWindow<RowOf<Page>>(last.total) : window
    current = {
      list,
      window: trimWindow(placement.place(base, reads), wanted),
      pages,
      reads,
      last,
      wanted,
      baseline: current?.baseline ?? { counted: count(last) },
    }
    setShown(current)
  }
  const known = current ?? (placement.isLive === true ? shown : null)
  const counted = known === null ? 0 : count(known.last)
  const put = (changed: Pick<Shown<Page>, 'window'> & Partial<Shown<Page>>): void => {
    if (known !== null) setShown({ ...known, ...changed })
  }

  return {
    window: known?.window ?? emptyWindow<RowOf<Page>>(0),
    total: known?.window.total ?? 0,
    rowAt: (place: number): RowOf<Page> | undefined =>
      known === null ? undefined : known.window.rows[place - known.window.start],
    inSight,
    look: (places: Places): void => setSight({ list, places }),
    /** The pages that were placed last; the last of them tells what else the server says of the list. */
    reads: known?.reads ?? [],
    last: known?.last,
    baseline: known?.baseline ?? null,
    /** How much is new since the rows were put in place. */
    news: known === null ? 0 : Math.max(0, counted - known.baseline.counted),
    showNews(): void {
      if (known === null) return
      const opened = emptyWindow<RowOf<Page>>(known.last.total, known.window.origin)
      put({ window: placement.place(opened, known.reads), baseline: { counted } })
    },
    /** Puts the rows that have been read in another order, until they are put in place again. */
    arrange: (rows: readonly RowOf<Page>[]): void => {
      if (known !== null) put({ window: { ...known.window, rows } })
    },
    loading: known === null,
    isFetching,
    /** Milliseconds; when the oldest of the pages was read. */
    readAt: Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: queries.find((query) => query.error !== null)?.error ?? null,
    retry(): void {
      for (const query of queries) if (query.error !== null) void query.refetch()
    },
  }
}

function isPlaced<Page extends ListPage>(
  shown: Shown<Page> | null,
  pages: readonly Page[],
  { first, end }: Places,
): boolean {
  return (
    shown !== null &&
    shown.wanted.first === first &&
    shown.wanted.end === end &&
    shown.pages.length === pages.length &&
    pages.every((page, index) => page === shown.pages[index])
  )
}

interface Followed {
  readAt: number
  isFetching: boolean
  showNews(): void
}

/** Returns what reads a list again and then puts its rows in place: for changes made here. */
export function useFollow({ readAt, isFetching, showNews }: Followed, readAgain: () => unknown): () => void {
  const [since, setSince] = useState<number | null>(null)
  if (since !== null && readAt >= since && !isFetching) {
    setSince(null)
    showNews()
  }
  return () => {
    setSince(Date.now())
    void readAgain()
  }
}

/** While a list is being scrolled, rows are asked for at most this often. */
const lookMs = 80

/** Has the rows in sight read. */
export function useLook(list: Pick<PagedList<unknown>, 'total' | 'look'>, first: number, end: number): void {
  const last = useRef(0)
  const look = useEffectEvent((places: Places) => {
    last.current = performance.now()
    list.look(places)
  })
  const { total } = list
  useEffect(() => {
    const places = { first: Math.min(first, total), end: Math.min(end, total) }
    const timer = setTimeout(() => look(places), Math.max(0, last.current + lookMs - performance.now()))
    return () => clearTimeout(timer)
  }, [first, end, total])
}
