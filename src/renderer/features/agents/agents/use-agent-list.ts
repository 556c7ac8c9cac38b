import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { agentPageSize } from '../../../../shared/contracts/desk-agents-common.ts'
import { plural } from '../../../lib/format.ts'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, whileFollowed } from '../agent-live.ts'
import { agentProjectQuery } from '../agents.api.ts'
import { driftOf, isInPlace, settleNewest } from '../list-drift.ts'
import { emptyPlaces, newsOf, pagesAround, rowAt, settle, takePage } from '../list-places.ts'
import type { ListNews, ListPage, ListPlaces } from '../list-places.ts'

interface Options<Row, Page extends ListPage<Row>> {
  /** Begins with `agents` and holds the filter: another key is another list. */
  key: readonly unknown[]
  /** Reads 200 rows from a place on. */
  read: (offset: number, signal: AbortSignal) => Promise<Page>
  /** What tells a row from all others. */
  keyOf: (row: Row) => string
  /** The first place in sight when the list is opened. */
  start?: number
  /** Whether rows are only added before the first one, as to a log that shows its newest ones first. */
  newestFirst?: boolean
}

interface Shown<Row> {
  key: string
  openedAt: number
  /** Whether all rows in place were read after the list was opened. */
  fresh: boolean
  places: ListPlaces<Row>
  /** What has found its places already. */
  reads: ReadonlySet<unknown>
}

/** A list of any length that follows the database: values change in place, rows move only when asked. */
export function useAgentList<Row, Page extends ListPage<Row>>({
  key,
  read,
  keyOf,
  start = 0,
  newestFirst = false,
}: Options<Row, Page>) {
  const folder = useQuery(agentProjectQuery).data?.folder ?? null
  const identity = JSON.stringify([folder, key])
  const paused = useStore(pausedSince) !== null
  // What is in sight stays in sight when it becomes known, or changes, of which project the rows are.
  const view = JSON.stringify(key)
  const [sight, setSight] = useState({ view, first: start, last: start })
  const [shown, setShown] = useState<Shown<Row>>(() => opened(identity))
  let current = shown.key === identity ? shown : opened<Row>(identity)
  const { first, last } = sight.view === view ? sight : { first: start, last: start }

  const offsets = pagesAround(first, last, agentPageSize)
  const drift = newestFirst ? driftOf(current.places) : 0
  const listedAt = (offset: number): number => (offset === 0 ? 0 : offset + drift)
  const pages = useQueries({
    queries: offsets.map((offset) =>
      whileFollowed(
        {
          queryKey: [...key, listedAt(offset)],
          queryFn: ({ signal }: { signal: AbortSignal }) => read(listedAt(offset), signal),
        },
        paused,
      ),
    ),
  })
  for (const [index, { data, dataUpdatedAt, isFetching }] of pages.entries()) {
    const offset = offsets[index] ?? 0
    if (data === undefined || current.reads.has(data)) continue
    if (newestFirst && !isInPlace(current.places, offset, data, drift)) continue
    // What was kept from an earlier look and is being read again is shown, and gives way to that answer.
    const fresh = !isFetching || dataUpdatedAt >= current.openedAt
    const base = fresh && !current.fresh ? emptyPlaces<Row>() : current.places
    current = {
      ...current,
      fresh: current.fresh || fresh,
      places: takePage(base, offset, data, keyOf, agentPageSize),
      reads: new Set([...(base === current.places ? current.reads : []), data]),
    }
  }
  if (current !== shown) setShown(current)
  const known = current
  const head = pages[0]
  const failed = pages.find(({ error }) => error !== null)

  return {
    /** The newest answer, for what it says beside the rows. */
    head: head?.data,
    total: known.places.total,
    /** As on the screen; undefined while it is read. */
    rowAt: (place: number): Row | undefined => rowAt(known.places, place, agentPageSize),
    /** Tells which places are in sight, so that their rows are read. */
    look: (from: number, to: number): void => setSight({ view, first: from, last: to }),
    news: newsOf(known.places),
    showNews: (): void =>
      setShown({ ...known, places: newestFirst ? settleNewest(known.places) : settle(known.places) }),
    loading: known.places.shown.size === 0,
    error: failed?.error ?? null,
    retry: (): void => void (failed ?? head)?.refetch(),
  }
}

function opened<Row>(key: string): Shown<Row> {
  return { key, openedAt: Date.now(), fresh: false, places: emptyPlaces(), reads: new Set() }
}

/** `3 new agents`; `2 agents fewer`; null where there is nothing to say. */
export function newsWords(news: ListNews | null, one: string, many = `${one}s`): string | null {
  if (news === null) return null
  if (news.added > 0) return plural(news.added, `new ${one}`, `new ${many}`)
  if (news.added < 0) return `${plural(-news.added, one, many)} fewer`
  return 'The order has changed'
}
