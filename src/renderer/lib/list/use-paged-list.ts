import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { emptyWindow, pagesFor, trimWindow, requiredPlaces, windowAt } from './paged-list.ts'
import { useViewState } from '../state/use-view-state.ts'
import type { ListWindow, Placement, Places, RowsRead } from './paged-list.ts'

interface ListPage {
  items: readonly unknown[]
  total: number
}
type RowOf<Page extends ListPage> = Page['items'][number]

interface Options<Page extends ListPage, Key extends QueryKey> {
  /** Reads 100 rows from an offset. A different key for the first page means a different list. */
  page: (offset: number) => UseQueryOptions<Page, Error, Page, Key>
  placement: Placement<RowOf<Page>>
  /** A number that grows with every new row of the list; by default its total. */
  count?: (page: Page) => number
}

interface Shown<Page extends ListPage> {
  list: string
  window: ListWindow<RowOf<Page>>
  /** The pages that were placed last, and the places that they were read for. */
  pages: readonly Page[]
  reads: readonly RowsRead<RowOf<Page>>[]
  last: Page
  required: Places
  /** The count that news is relative to; a new object each time the rows are arranged. */
  baseline: { counted: number }
}

const top: Places = { first: 0, end: 1 }
const totalOf = ({ total }: ListPage): number => total

/** The part of a list that a view needs. */
export interface PagedList<Row> {
  /** The number of places, including those whose rows are not loaded. */
  total: number
  /** The row shown at a place; undefined until it is loaded. */
  rowAt(place: number): Row | undefined
  /** Reports the visible places, so that their rows are loaded. */
  loadVisible(places: Places): void
}

/** A long list: loads the pages around the visible rows, and moves no row until new ones are requested. */
export function usePagedList<Page extends ListPage, Key extends QueryKey>({
  page,
  placement,
  count = totalOf,
}: Options<Page, Key>) {
  const list = JSON.stringify(page(0).queryKey)
  const [visible, setVisible] = useViewState(list, top)
  const [shown, setShown] = useState<Shown<Page> | null>(null)

  let current = shown?.list === list ? shown : null
  const required = requiredPlaces(visible, current?.window.total ?? 0)
  const window = windowAt(current?.window ?? emptyWindow<RowOf<Page>>(0), required)
  const offsets = pagesFor(window, required, placement.overlap)
  const queries = useQueries({ queries: offsets.map(page) })
  const pages = queries.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const last = pages.at(-1)
  const isFetching = queries.some((query) => query.isFetching)
  // Cached pages may be outdated, and pages read at different times do not fit together.
  const isRead = pages.length === queries.length && (!isFetching || placement.isLive === true)
  if (isRead && last !== undefined && !isPlaced(current, pages, required)) {
    const reads = pages.map(({ items, total }, index) => ({ from: offsets[index] ?? 0, rows: items, total }))
    const base = current === null ? emptyWindow<RowOf<Page>>(last.total) : window
    current = {
      list,
      window: trimWindow(placement.place(base, reads), required),
      pages,
      reads,
      last,
      required,
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
    visible,
    loadVisible: setVisible,
    /** The pages that were placed last; `last` has the server's latest information about the list. */
    reads: known?.reads ?? [],
    last: known?.last,
    baseline: known?.baseline ?? null,
    /** How many rows are new since the rows were arranged. */
    news: known === null ? 0 : Math.max(0, counted - known.baseline.counted),
    showNews(): void {
      if (known === null) return
      const opened = emptyWindow<RowOf<Page>>(known.last.total, known.window.origin)
      put({ window: placement.place(opened, known.reads), baseline: { counted } })
    },
    /** Shows these rows instead of the loaded ones until pages are placed again. */
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
    shown.required.first === first &&
    shown.required.end === end &&
    shown.pages.length === pages.length &&
    pages.every((page, index) => page === shown.pages[index])
  )
}

interface Followed {
  readAt: number
  isFetching: boolean
  showNews(): void
}

/** Returns a function that reloads a list and then arranges its rows, for changes made on this page. */
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

/** While a list is scrolled, rows are requested at most this often. */
const loadMs = 80

/** Loads the rows from `first` up to, but not including, `end`. */
export function useLoadVisible(
  list: Pick<PagedList<unknown>, 'total' | 'loadVisible'>,
  first: number,
  end: number,
): void {
  const last = useRef(0)
  const loadVisible = useEffectEvent((places: Places) => {
    last.current = performance.now()
    list.loadVisible(places)
  })
  const { total } = list
  useEffect(() => {
    const places = { first: Math.min(first, total), end: Math.min(end, total) }
    const timer = setTimeout(
      () => loadVisible(places),
      Math.max(0, last.current + loadMs - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [first, end, total])
}
