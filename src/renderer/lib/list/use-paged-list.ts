import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FocusEvent } from 'react'
import { deskPageSize } from '../../../shared/list-page.ts'
import { plural } from '../format.ts'
import { useViewState } from '../state/use-view-state.ts'
import { byKey, emptyWindow, newsOf, pagesFor, readsOf, requiredPlaces } from './paged-list.ts'
import { trimWindow, windowAt } from './paged-list.ts'
import type { KeyOf, ListNews, ListPage, ListWindow, Placement, Places } from './paged-list.ts'
import type { Reads, RowOf, RowsRead } from './paged-list.ts'

interface Options<Page extends ListPage, Key extends QueryKey> {
  /** Reads a page from an offset. A different key for the first page means a different list. */
  page: (offset: number) => UseQueryOptions<Page, Error, Page, Key>
  placement: Placement
  keyOf: KeyOf<RowOf<NoInfer<Page>>>
  /** A number that grows with every new row of the list; by default its total. */
  count?: (page: NoInfer<Page>) => number
  pageSize?: number
  /** What a page was read from. A page from another source begins the list again. */
  sourceOf?: (page: NoInfer<Page>) => unknown
  /** Distinguishes lists with the same pages. */
  view?: string
  /** The first place that is visible when the list is opened. */
  start?: number
  /** Rows that have been read already, shown until the pages around them have been read. */
  opened?: { from: number; page: NoInfer<Page> } | null
  /** Whether pages are read. */
  enabled?: boolean
}

interface Shown<Page extends ListPage> extends Reads<RowOf<Page>> {
  list: string
  window: ListWindow<RowOf<Page>>
  /** The pages that were placed last, and the places that they were read for. */
  pages: readonly Page[]
  last: Page
  required: Places
  /** The count that news is relative to; a new object each time the rows are arranged. */
  baseline: { counted: number }
}

const noSource = (): null => null
const totalOf = ({ total }: ListPage): number => total ?? 0

/** What a page shows besides the rows of a list. */
export interface ListState {
  /** Whether nothing has been read yet. */
  isPending: boolean
  error: unknown
  refetch(): void
  /** Rows added since the rows were arranged. */
  news: number
  showNews(): void
}

/** The part of a list that its rows need. */
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
  keyOf,
  count = totalOf,
  pageSize = deskPageSize,
  sourceOf = noSource,
  view,
  start = 0,
  opened = null,
  enabled = true,
}: Options<Page, Key>) {
  const list = JSON.stringify([view, page(0).queryKey])
  const [visible, setVisible] = useViewState<Places>(list, { first: start, end: start + 1 })
  const [shown, setShown] = useState<Shown<Page> | null>(null)

  let current = shown?.list === list ? shown : null
  const isFrom = (source: Page) => (one: Page) => sourceOf(one) === sourceOf(source)
  if (current === null && opened !== null) {
    const reads = readsOf([opened.page], [opened.from], pageSize)
    const window = placement.place(emptyWindow<RowOf<Page>>(reads.total), reads.reads, keyOf, 0)
    const baseline = { counted: count(opened.page) }
    current = { list, window, ...reads, pages: [], last: opened.page, required: visible, baseline }
    setShown(current)
  }
  const required = requiredPlaces(visible, current?.window.total ?? 0, pageSize)
  const window = windowAt(current?.window ?? emptyWindow<RowOf<Page>>(0), required)
  const offsets = enabled ? pagesFor(window, required, placement.overlap, pageSize) : []
  const queries = useQueries({ queries: offsets.map(page) })
  const pages = queries.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const isFetching = queries.some((query) => query.isFetching)
  // Cached pages may be outdated, and pages read at different times do not fit together.
  const last = pages.at(-1)
  const isRead = pages.length === queries.length && (!isFetching || placement.isLive === true)
  if (isRead && last !== undefined && pages.every(isFrom(last)) && !isPlaced(current, pages, required)) {
    if (current !== null && !isFrom(last)(current.last)) current = null
    const reads = readsOf(pages, offsets, pageSize)
    const base = current === null ? emptyWindow<RowOf<Page>>(reads.total) : window
    const total = reads.isCounted ? reads.total : Math.max(base.total, reads.total)
    const counted = current?.isCounted === false ? { ...base, total } : base
    current = {
      list,
      window: trimWindow(placement.place(counted, reads.reads, keyOf, required.first), required),
      ...reads,
      pages,
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
    /** Grows by the number of places added before the first one. */
    origin: known?.window.origin ?? 0,
    rowAt: (place: number): RowOf<Page> | undefined =>
      known === null ? undefined : known.window.rows[place - known.window.start],
    visible,
    loadVisible: setVisible,
    /** The pages that were placed last; `data` is the last of them. */
    reads: known?.reads ?? [],
    data: known?.last,
    baseline: known?.baseline ?? null,
    /** How many rows are new since the rows were arranged. */
    news: known === null ? 0 : Math.max(0, counted - known.baseline.counted),
    /** How the rows as shown differ from the server's list. */
    difference: known?.isCounted === true ? newsOf(known.window, known.reads, keyOf) : null,
    showNews(): void {
      if (known === null) return
      const opening = emptyWindow<RowOf<Page>>(known.total, known.window.origin)
      put({ window: placement.place(opening, known.reads, keyOf, 0), baseline: { counted } })
    },
    /** Shows these rows instead of the loaded ones until pages are placed again. */
    arrange: (rows: readonly RowOf<Page>[]): void => {
      if (known !== null) put({ window: { ...known.window, rows } })
    },
    isPending: known === null,
    isFetching,
    /** Milliseconds; when the oldest of the pages was read. */
    readAt: Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: queries.find((query) => query.error !== null)?.error ?? null,
    refetch(): void {
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

interface WholeOptions<Row> {
  /** A different identity means a different list. */
  identity: string
  /** All rows as they are now; null while they are loading. */
  rows: readonly Row[] | null
  /** Identifies the response that the rows are from. */
  source: unknown
  keyOf: KeyOf<Row>
  /** Whether newer rows are being read. They replace cached rows with which the list was opened. */
  isFetching?: boolean
  /** Whether rows must stay in place now. */
  isHeld?: boolean
}

/** A list that is always read as a whole, and moves no row until that is requested. */
export function useWholeList<Row>({
  identity,
  rows,
  source,
  keyOf,
  isFetching = false,
  isHeld = true,
}: WholeOptions<Row>) {
  const [shown, setShown] = useState<{
    identity: string
    source: unknown
    isHeld: boolean
    isOutdated: boolean
    read: RowsRead<Row>
    window: ListWindow<Row>
  } | null>(null)
  let current = shown?.identity === identity ? shown : null
  if (rows !== null && (current === null || current.source !== source || current.isHeld !== isHeld)) {
    const read = { from: 0, rows, total: rows.length }
    const kept = isHeld && current?.isOutdated === false ? current.window : null
    const window = kept ?? emptyWindow<Row>(rows.length)
    const isOutdated = current === null && isFetching
    current = { identity, source, isHeld, isOutdated, read, window: byKey.place(window, [read], keyOf, 0) }
    setShown(current)
  }
  const known = current
  return {
    shown: known?.window.rows ?? [],
    news: known && newsOf(known.window, [known.read], keyOf),
    showNews(): void {
      if (known === null) return
      setShown({ ...known, window: byKey.place(emptyWindow<Row>(known.read.total), [known.read], keyOf, 0) })
    },
  }
}

/** A short list that follows the database, except while the pointer or the focus is in it. */
export function useFreezeWhileHovered<Row>(rows: readonly Row[], keyOf: KeyOf<Row>) {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  return {
    ...useWholeList({ identity: '', rows, source: rows, keyOf, isHeld: pointed || focused }),
    /** For the element that holds the rows. */
    freezeProps: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

/** `3 new agents`, `2 fewer agents`; null if there is no news. */
export function newRowsLabel(news: ListNews | null, one: string): string | null {
  if (news === null) return null
  if (news.added > 0) return plural(news.added, `new ${one}`)
  if (news.added < 0) return plural(-news.added, `fewer ${one}`)
  return 'Order changed'
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
  list: Pick<PagedList<unknown>, 'total'> & { loadVisible: PagedList<unknown>['loadVisible'] | undefined },
  first: number,
  end: number,
): void {
  const last = useRef(0)
  const loadVisible = useEffectEvent((places: Places) => {
    last.current = performance.now()
    list.loadVisible?.(places)
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
