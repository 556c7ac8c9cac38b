import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskRelease, QueueRow, StatusCounts } from '../../../shared/contracts/desk-review.ts'
import { keepPlaces, leftRows } from './keep-places.ts'
import type { Kept } from './keep-places.ts'
import type { QueueFilter } from './queue-filter.ts'
import { deskReleaseQuery, queueQuery } from './review.api.ts'

export interface Queue {
  /** As on the screen: they keep their places until somebody asks for the news. */
  rows: readonly QueueRow[]
  /** How many there are for the filter, with those that have not been read yet. */
  total: number
  counts: StatusCounts | undefined
  /** Submissions, or decisions in the view of decided ones, since the rows were put in place. */
  news: number
  showNews(): void
  loading: boolean
  /** While a page is on its way, no further one is asked for. */
  reading: boolean
  error: unknown
  retry(): void
  readMore(): void
  /** The pending release after this one on the screen, else the one before it. */
  nextPending(id: number | null): number | undefined
}

interface Shown {
  filter: string
  kept: Kept<QueueRow>
  /** What the news are counted against. */
  baseline: number
}

export function useQueue(filter: QueueFilter): Queue {
  const query = useInfiniteQuery(queueQuery(filter))
  const key = JSON.stringify(filter)
  const pages = query.data?.pages
  const fresh = pages?.flatMap(({ items }) => items)
  const first = pages?.at(-1)
  const counts = first?.counts
  const counted = counts === undefined ? 0 : countFor(filter, counts)

  const [shown, setShown] = useState<Shown | null>(null)
  const [seen, setSeen] = useState<typeof pages>(undefined)
  let current = shown?.filter === key ? shown : null
  if (fresh !== undefined && pages !== undefined && (pages !== seen || current === null)) {
    current = {
      filter: key,
      kept: keepPlaces(current?.kept ?? null, fresh, pages.length),
      baseline: current?.baseline ?? counted,
    }
    setSeen(pages)
    setShown(current)
  }

  const kept = current?.kept.rows ?? []
  const left = leftRows(kept, fresh ?? [])
  const states = useQueries({ queries: left.map(({ id }) => deskReleaseQuery(id)) })
  const moved = new Map(
    left.map((row, index) => [
      row.id,
      states[index]?.data === undefined ? row : bring(row, states[index].data),
    ]),
  )
  const rows = left.length === 0 ? kept : kept.map((row) => moved.get(row.id) ?? row)
  const unread = Math.max(0, (first?.total ?? 0) - (fresh?.length ?? 0))

  return {
    rows,
    total: rows.length + unread,
    counts,
    news: current === null ? 0 : Math.max(0, counted - current.baseline),
    showNews() {
      if (fresh === undefined || pages === undefined) return
      setShown({ filter: key, kept: { rows: fresh, pages: pages.length }, baseline: counted })
    },
    loading: query.isPending,
    reading: query.isFetching,
    error: query.error,
    retry: () => void query.refetch(),
    readMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    nextPending(id) {
      const index = rows.findIndex((row) => row.id === id)
      const pending = (row: QueueRow): boolean => row.status === 'pending' && row.id !== id
      return (rows.slice(index + 1).find(pending) ?? rows.slice(0, Math.max(0, index)).findLast(pending))?.id
    },
  }
}

/** Releases are never removed, so that a greater sum is exactly what is new. */
function countFor({ view }: QueueFilter, { pending, approved, rejected, revoked }: StatusCounts): number {
  const decided = approved + rejected + revoked
  return view === 'decided' ? decided : pending + decided
}

/** A row that the server lists no more, as the release itself says it is now. */
function bring(row: QueueRow, { status, history }: DeskRelease): QueueRow {
  const decision = history[0]
  return {
    ...row,
    status,
    decidedAt: decision?.decidedAt ?? null,
    decidedBy: decision?.decidedBy ?? null,
  }
}
