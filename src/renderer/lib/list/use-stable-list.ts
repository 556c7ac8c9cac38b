import { useState } from 'react'
import type { FocusEvent } from 'react'
import { plural } from '../format.ts'
import {
  driftOf,
  emptyList,
  isInPlace,
  keepNear,
  newsOf,
  rowAt,
  settle,
  settleNewest,
  takePage,
} from './stable-list.ts'
import type { ListNews, ListPage, StableList } from './stable-list.ts'

interface Options<Row> {
  /** A different identity means a different list. */
  identity: string
  /** The unique key of a row. */
  keyOf: (row: Row) => string
  /** Rows per page; by default all rows are on one page. */
  pageSize?: number
  /** Whether rows are only added at the start, as in a log with its newest rows first. */
  newestFirst?: boolean
  /** Whether rows must stay in place now. */
  isHeld?: boolean
}

/** A response with rows of a list from an offset. */
export interface RowsRead<Row> {
  offset: number
  page: ListPage<Row>
  /** Identifies the response. */
  source: unknown
  isFetching: boolean
  /** Milliseconds; when it was read. */
  readAt: number
}

interface Known<Row> {
  identity: string
  openedAt: number
  /** Whether all shown rows were read after the list was opened. */
  fresh: boolean
  list: StableList<Row>
  /** The latest response by offset that has been applied. */
  taken: ReadonlyMap<number, Pick<RowsRead<Row>, 'source' | 'readAt'>>
}

/**
 * Rows that follow the database without moving: values change in place, removed rows keep their last values, and new
 * rows are shown on request.
 */
export function useStableList<Row>({
  identity,
  keyOf,
  pageSize = Number.MAX_SAFE_INTEGER,
  newestFirst = false,
  isHeld = true,
}: Options<Row>) {
  const [known, setKnown] = useState<Known<Row>>(() => opened(identity))
  const current = known.identity === identity ? known : opened<Row>(identity)
  const drift = newestFirst ? driftOf(current.list) : 0
  const settled = (list: StableList<Row>): StableList<Row> =>
    newestFirst ? settleNewest(list, pageSize) : settle(list)
  return {
    /** For a log: by how much the server's offsets are larger than the places. */
    drift,
    take(reads: readonly RowsRead<Row>[]) {
      let next = current
      for (const { offset, page, source, isFetching, readAt } of reads) {
        const taken = next.taken.get(offset)
        // An older cached response may return while the newer page is out of view.
        if (taken !== undefined && (taken.source === source || taken.readAt > readAt)) continue
        if (newestFirst && !isInPlace(next.list, offset, page, drift)) continue
        // Cached rows are shown while they are being read again, and then replaced.
        const fresh = !isFetching || readAt >= next.openedAt
        const isOver = fresh && !next.fresh
        next = {
          ...next,
          fresh: next.fresh || fresh,
          list: keepNear(
            takePage(isOver ? emptyList<Row>() : next.list, offset, page, keyOf, pageSize),
            reads.map((read) => read.offset),
            pageSize,
          ),
          taken: new Map(isOver ? [] : next.taken).set(offset, { source, readAt }),
        }
      }
      if (!isHeld && newsOf(next.list) !== null) next = { ...next, list: settled(next.list) }
      if (next !== known) setKnown(next)
      const { list } = next
      return {
        total: list.total,
        /** The row shown at a place; undefined while it is loading. */
        rowAt: (place: number): Row | undefined => rowAt(list, place),
        /** The loaded rows by place. */
        rows: [...list.shown].flatMap(([place, key]) => {
          const row = list.rows.get(key)
          return row === undefined ? [] : [[place, row] as const]
        }),
        news: newsOf(list),
        showNews: (): void => setKnown({ ...next, list: settled(list) }),
        /** Whether nothing has been loaded yet. */
        isPending: next.taken.size === 0,
      }
    },
  }
}

function opened<Row>(identity: string): Known<Row> {
  return { identity, openedAt: Date.now(), fresh: false, list: emptyList(), taken: new Map() }
}

/** A short list that follows the database, except while the pointer or the focus is in it. */
export function useFreezeWhileHovered<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const list = useStableList({ identity: '', keyOf, isHeld: pointed || focused }).take([
    { offset: 0, page: { items: rows, total: rows.length }, source: rows, isFetching: false, readAt: 0 },
  ])
  return {
    shown: list.rows.map(([, row]) => row).slice(0, list.total),
    news: list.news,
    showNews: list.showNews,
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
export function newRowsLabel(news: ListNews | null, one: string, many = `${one}s`): string | null {
  if (news === null) return null
  if (news.added > 0) return plural(news.added, `new ${one}`, `new ${many}`)
  if (news.added < 0) return plural(-news.added, `fewer ${one}`, `fewer ${many}`)
  return 'Order changed'
}
