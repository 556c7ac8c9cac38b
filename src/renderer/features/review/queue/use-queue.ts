import { useQueries } from '@tanstack/react-query'
import type { StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import type { PagedRowList } from '../../../components/list/paged-rows.tsx'
import { byId } from '../../../lib/paged-list.ts'
import type { ListWindow, Places } from '../../../lib/paged-list.ts'
import { usePagedList } from '../../../lib/use-paged-list.ts'
import type { QueueFilter } from './queue-filter.ts'
import { deskReleaseQuery, queuePageQuery } from '../review.api.ts'
import type { ReviewRelease, ReviewRow } from '../review.api.ts'
import { useRecentDecisions } from '../decision/use-recent-decisions.ts'

/** What was decided lately follows after the pending ones, as `recent`. */
export interface Queue extends PagedRowList<ReviewRow> {
  counts: StatusCounts | undefined
  /** Submissions, or decisions in the view of decided ones, since the rows were put in place. */
  news: number
  showNews(): void
  loading: boolean
  error: unknown
  retry(): void
  /** The row after or before one, over the end of the pending ones; the first in sight where there is no such row. */
  neighbour(id: number | null, step: 1 | -1): number | undefined
  /** The pending release after this one on the screen, else the one before it, that nobody has decided. */
  nextPending(id: number | null): number | undefined
}

export function useQueue(filter: QueueFilter): Queue {
  const list = usePagedList({
    page: (offset) => queuePageQuery(filter, offset),
    placement: byId,
    count: ({ counts }) => countFor(filter, counts),
  })
  const { window, total, inSight, baseline } = list
  const rows = useLeftRows(window, inSight)
  const { start } = window
  const placeOf = (id: number | null): number | null => {
    const index = rows.findIndex((row) => row.id === id)
    return index === -1 ? null : start + index
  }
  const rowAt = (place: number): ReviewRow | undefined => rows[place - start]
  const recent = useRecentDecisions(filter, baseline === null ? null : { rows, baseline })

  return {
    total,
    rowAt,
    placeOf,
    recent,
    origin: window.origin,
    look: list.look,
    counts: list.last?.counts,
    news: list.news,
    showNews: list.showNews,
    loading: list.loading,
    error: list.error,
    retry: list.retry,
    neighbour(id, step) {
      const later = recent.findIndex((row) => row.id === id)
      const place = placeOf(id) ?? (later === -1 ? null : total + later)
      if (place === null) return (rowAt(inSight.first) ?? rows[0] ?? recent[0])?.id
      const next = place + step
      return (next < total ? rowAt(next) : recent[next - total])?.id
    },
    nextPending(id) {
      const index = rows.findIndex((row) => row.id === id)
      const waits = (row: ReviewRow): boolean =>
        row.status === 'pending' && row.held === null && row.id !== id
      return (rows.slice(index + 1).find(waits) ?? rows.slice(0, Math.max(0, index)).findLast(waits))?.id
    },
  }
}

/** The rows, those in sight that the server lists no more as the releases themselves say they are now. */
function useLeftRows(window: ListWindow<ReviewRow>, { first, end }: Places): readonly ReviewRow[] {
  const near = (index: number): boolean => {
    const place = window.start + index
    return place >= first - 10 && place < end + 10
  }
  const left = window.rows.filter(({ id }, index) => window.left.has(id) && near(index))
  const states = useQueries({ queries: left.map(({ id }) => deskReleaseQuery(id)) })
  const found = new Map(states.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])))
  return window.rows.map((row) => {
    const release = window.left.has(row.id) ? found.get(row.id) : undefined
    return release === undefined ? row : bring(row, release)
  })
}

/** Releases are never removed, so that a greater sum is exactly what is new. */
function countFor({ view }: QueueFilter, { pending, approved, rejected, revoked }: StatusCounts): number {
  const decided = approved + rejected + revoked
  return view === 'decided' ? decided : pending + decided
}

function bring(row: ReviewRow, { status, history, held, statement }: ReviewRelease): ReviewRow {
  const decision = history[0]
  return {
    ...row,
    status,
    held,
    decidedAt: decision?.decidedAt ?? null,
    decidedBy: decision?.decidedBy ?? null,
    selfApproved: statement?.selfApproved ?? false,
  }
}
