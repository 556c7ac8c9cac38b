import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { agentPageSize } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import type { JsonRoute } from '../../../../shared/route-call.ts'
import { plural } from '../../../lib/format.ts'
import { call } from '../../../lib/server/client.ts'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, whileFollowed } from '../agent-live.ts'
import { agentProjectQuery } from '../agents.api.ts'
import { useTablePlace } from '../view-address.ts'
import { driftOf, isInPlace, settleNewest } from './list-drift.ts'
import { emptyPlaces, newsOf, pagesAround, rowAt, settle, takePage } from './list-places.ts'
import type { ListNews, ListPage, ListPlaces } from './list-places.ts'

/** A page of a list as the server gives it. */
export interface TableAnswer<Row> extends ListPage<Row> {
  stamp: AgentStamp
}

export type TableRoute<Answer> = JsonRoute<undefined, z.ZodObject, undefined, z.ZodType<Answer>>

/** A page of a list from a place on. */
export const tablePageQuery = <Answer>(
  route: TableRoute<Answer>,
  query: Record<string, string>,
  offset: number,
) => ({
  queryKey: ['agents', route.path, query, offset],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(route, { query: { ...query, offset }, signal }),
})

interface Options<Row, Answer> {
  route: TableRoute<Answer>
  /** Another query has other rows. */
  query: Record<string, string>
  /** What tells a row from all others. */
  keyOf: (row: Row) => string
  /** Whether the address has the place of the first row in sight: of several lists on a page only one can. */
  inAddress?: boolean
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

/** Rows of any number that follow the database: values change in place, rows move only when asked. */
export function useTableRows<Row, Answer extends TableAnswer<Row>>({
  route,
  query,
  keyOf,
  inAddress = true,
  newestFirst = false,
}: Options<Row, Answer>) {
  const folder = useQuery(agentProjectQuery).data?.folder ?? null
  // What is in sight stays in sight when it becomes known, or changes, of which project the rows are.
  const view = JSON.stringify([route.path, query])
  const identity = JSON.stringify([folder, view])
  const paused = useStore(pausedSince) !== null
  const { start, look } = useTablePlace(view, inAddress)
  const [sight, setSight] = useState({ view, first: start, last: start })
  const [shown, setShown] = useState<Shown<Row>>(() => opened(identity))
  let current = shown.key === identity ? shown : opened<Row>(identity)
  const { first, last } = sight.view === view ? sight : { first: start, last: start }

  const offsets = pagesAround(first, last, agentPageSize)
  const drift = newestFirst ? driftOf(current.places) : 0
  const pages = useQueries({
    queries: offsets.map((offset) =>
      whileFollowed(tablePageQuery(route, query, offset === 0 ? 0 : offset + drift), paused),
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
    answer: head?.data,
    view,
    start,
    total: known.places.total,
    /** As on the screen; undefined while it is read. */
    rowAt: (place: number): Row | undefined => rowAt(known.places, place, agentPageSize),
    /** Tells which places are in sight, so that their rows are read. */
    look(from: number, to: number): void {
      look(from)
      setSight({ view, first: from, last: to })
    },
    news: newsOf(known.places),
    showNews: (): void =>
      setShown({ ...known, places: newestFirst ? settleNewest(known.places) : settle(known.places) }),
    /** Whether nothing has been read yet. */
    isPending: known.places.shown.size === 0,
    error: failed?.error ?? null,
    refetch: (): void => void (failed ?? head)?.refetch(),
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
