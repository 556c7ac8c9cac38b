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
} from './still-list.ts'
import type { ListNews, ListPage, StillList } from './still-list.ts'

interface Options<Row> {
  /** Another one is another list. */
  identity: string
  /** What tells a row from all others. */
  keyOf: (row: Row) => string
  /** Rows of one page; without it all rows are on one. */
  pageSize?: number
  /** Whether rows are only added before the first one, as to a log that shows its newest ones first. */
  newestFirst?: boolean
  /** Whether rows may not move now. */
  isHeld?: boolean
}

/** An answer of the server that holds rows of a list from a place on. */
export interface RowsRead<Row> {
  offset: number
  page: ListPage<Row>
  /** Tells an answer from the next one. */
  source: unknown
  isFetching: boolean
  /** Milliseconds; when it was read. */
  readAt: number
}

interface Known<Row> {
  identity: string
  openedAt: number
  /** Whether all rows in place were read after the list was opened. */
  fresh: boolean
  list: StillList<Row>
  /** The newest answer by offset that has found its place already. */
  taken: ReadonlyMap<number, Pick<RowsRead<Row>, 'source' | 'readAt'>>
}

/**
 * Rows that follow the database and stay where they are: values change in place, rows that are gone keep their last ones,
 * and new rows come when they are asked for.
 */
export function useStillList<Row>({
  identity,
  keyOf,
  pageSize = Number.MAX_SAFE_INTEGER,
  newestFirst = false,
  isHeld = true,
}: Options<Row>) {
  const [known, setKnown] = useState<Known<Row>>(() => opened(identity))
  const begun = known.identity === identity ? known : opened<Row>(identity)
  const drift = newestFirst ? driftOf(begun.list) : 0
  const settled = (list: StillList<Row>): StillList<Row> =>
    newestFirst ? settleNewest(list, pageSize) : settle(list)
  return {
    /** By how many places the server counts the rows of a log further on. */
    drift,
    take(reads: readonly RowsRead<Row>[]) {
      let next = begun
      for (const { offset, page, source, isFetching, readAt } of reads) {
        const taken = next.taken.get(offset)
        // An older answer may be asked for again while the newer one is out of sight.
        if (taken !== undefined && (taken.source === source || taken.readAt > readAt)) continue
        if (newestFirst && !isInPlace(next.list, offset, page, drift)) continue
        // What was kept from an earlier look and is being read again is shown, and gives way to that answer.
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
        /** As on the screen; undefined while it is read. */
        rowAt: (place: number): Row | undefined => rowAt(list, place),
        /** Those that have been read, by place. */
        rows: [...list.shown].flatMap(([place, key]) => {
          const row = list.rows.get(key)
          return row === undefined ? [] : [[place, row] as const]
        }),
        news: newsOf(list),
        showNews: (): void => setKnown({ ...next, list: settled(list) }),
        /** Whether nothing has been read yet. */
        isPending: next.taken.size === 0,
      }
    },
  }
}

function opened<Row>(identity: string): Known<Row> {
  return { identity, openedAt: Date.now(), fresh: false, list: emptyList(), taken: new Map() }
}

/** A short list that follows the database, except while the pointer or the focus is in it. */
export function useUnderHand<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const list = useStillList({ identity: '', keyOf, isHeld: pointed || focused }).take([
    { offset: 0, page: { items: rows, total: rows.length }, source: rows, isFetching: false, readAt: 0 },
  ])
  return {
    shown: list.rows.map(([, row]) => row).slice(0, list.total),
    news: list.news,
    showNews: list.showNews,
    /** For the element that holds the rows. */
    hand: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

/** `3 new agents`; `2 agents fewer`; null where there is nothing to say. */
export function newsWords(news: ListNews | null, one: string, many = `${one}s`): string | null {
  if (news === null) return null
  if (news.added > 0) return plural(news.added, `new ${one}`, `new ${many}`)
  if (news.added < 0) return `${plural(-news.added, one, many)} fewer`
  return 'The order has changed'
}
