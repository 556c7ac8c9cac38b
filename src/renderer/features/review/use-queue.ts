import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StatusCounts } from '../../../shared/contracts/desk-review.ts'
import type { QueueFilter } from './queue-filter.ts'
import { isNear, mergeRead, openWindow, rangeToRead, trimWindow, wantedPlaces } from './queue-window.ts'
import type { Places, QueueWindow } from './queue-window.ts'
import { deskReleaseQuery, queueRangeQuery } from './review.api.ts'
import type { QueueRead, ReviewRelease, ReviewRow } from './review.api.ts'
import { useRecentDecisions } from './use-recent-decisions.ts'

export interface Queue {
  /** How many places there are for the filter, with those whose rows have not been read. */
  total: number
  /** As on the screen: rows keep their places until somebody asks for the news. */
  rowAt(place: number): ReviewRow | undefined
  /** The place of a release, of those that have been read. */
  placeOf(id: number | null): number | null
  /** What was decided lately, below the pending ones. */
  recent: readonly ReviewRow[]
  /** Moves on by as many places as were added before the first one; negative where some were given up. */
  origin: number
  /** Tells which places are in sight, so that their rows are read. */
  look(places: Places): void
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

interface Shown {
  filter: string
  window: QueueWindow<ReviewRow>
  /** What was read last, and is in the window already as far as it was wanted. */
  read: QueueRead
  wanted: Places
  /** What the news are counted against; another one each time that the rows are put in place. */
  baseline: { counted: number }
}

const top: Places = { first: 0, end: 1 }

export function useQueue(filter: QueueFilter): Queue {
  const client = useQueryClient()
  const key = JSON.stringify(filter)
  const [sight, setSight] = useState({ filter: key, places: top })
  const [shown, setShown] = useState<Shown | null>(null)
  const inSight = sight.filter === key ? sight.places : top

  let current = shown?.filter === key ? shown : null
  const wanted = wantedPlaces(inSight, current?.window.total ?? 0)
  const isJump = current !== null && !isNear(current.window, wanted)
  const drift = current === null ? 0 : driftAt(current.window, wanted)
  const range =
    current === null || isJump
      ? rangeToRead(null, { first: wanted.first - drift, end: wanted.end - drift })
      : rangeToRead(trimWindow(current.window, wanted), wanted)
  const query = useQuery(queueRangeQuery(client, filter, range.from, range.to))
  const read = query.data
  const isOpening = current === null || isJump
  const isMerged = read === current?.read && isSame(wanted, current?.wanted)
  // What is put in place anew is read anew; what is kept from before may be old.
  if (read !== undefined && !isMerged && !(isOpening && query.isFetching)) {
    current = {
      filter: key,
      window:
        current === null || isJump
          ? openWindow(read, drift, current?.window.origin)
          : trimWindow(mergeRead(current.window, read), wanted),
      read,
      wanted,
      baseline: current?.baseline ?? { counted: countFor(filter, read.counts) },
    }
    setShown(current)
  }

  const window = current?.window
  const rows = useLeftRows(window, inSight)
  const counts = current?.read.counts
  const counted = counts === undefined ? 0 : countFor(filter, counts)
  const start = window?.start ?? 0
  const total = window?.total ?? 0
  const placeOf = (id: number | null): number | null => {
    const index = rows.findIndex((row) => row.id === id)
    return index === -1 ? null : start + index
  }
  const rowAt = (place: number): ReviewRow | undefined => rows[place - start]
  const recent = useRecentDecisions(filter, current === null ? null : { rows, baseline: current.baseline })

  return {
    total,
    rowAt,
    placeOf,
    recent,
    origin: window?.origin ?? 0,
    look: (places) => setSight({ filter: key, places }),
    counts,
    news: current === null ? 0 : Math.max(0, counted - current.baseline.counted),
    showNews() {
      if (current === null) return
      setShown({
        ...current,
        window: openWindow(current.read, 0, current.window.origin),
        baseline: { counted },
      })
    },
    loading: current === null,
    error: query.error,
    retry: () => void query.refetch(),
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

function isSame(a: Places, b: Places | undefined): boolean {
  return a.first === b?.first && a.end === b.end
}

/** By how much the places of a part of the list that is not near are further on than the server counts them. */
function driftAt({ start, drift }: QueueWindow<ReviewRow>, wanted: Places): number {
  return wanted.first < start ? drift.head : drift.tail
}

/** The rows, those in sight that the server lists no more as the releases themselves say they are now. */
function useLeftRows(
  window: QueueWindow<ReviewRow> | undefined,
  { first, end }: Places,
): readonly ReviewRow[] {
  const near = (index: number): boolean => {
    const place = (window?.start ?? 0) + index
    return place >= first - 10 && place < end + 10
  }
  const left = (window?.rows ?? []).filter(({ id }, index) => window?.left.has(id) === true && near(index))
  const states = useQueries({ queries: left.map(({ id }) => deskReleaseQuery(id)) })
  const found = new Map(states.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])))
  return (window?.rows ?? []).map((row) => {
    const release = window?.left.has(row.id) === true ? found.get(row.id) : undefined
    return release === undefined ? row : bring(row, release)
  })
}

/** Releases are never removed, so that a greater sum is exactly what is new. */
function countFor({ view }: QueueFilter, { pending, approved, rejected, revoked }: StatusCounts): number {
  const decided = approved + rejected + revoked
  return view === 'decided' ? decided : pending + decided
}

function bring(row: ReviewRow, { status, history, held }: ReviewRelease): ReviewRow {
  const decision = history[0]
  return {
    ...row,
    status,
    held,
    decidedAt: decision?.decidedAt ?? null,
    decidedBy: decision?.decidedBy ?? null,
  }
}
