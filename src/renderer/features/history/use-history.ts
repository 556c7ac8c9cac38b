import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HistoryEntry } from '../../../shared/contracts/desk-history.ts'
import type { HistoryFilter } from './history-filter.ts'
import { addRead, firstPlaces, pagesFor } from './history-places.ts'
import type { HistoryPlaces, HistoryRead } from './history-places.ts'
import { historyPageQuery } from './history.api.ts'

export interface History {
  total: number
  entryAt(place: number): HistoryEntry | undefined
  /** Tells which places are in sight, so that they are read. */
  look(first: number, end: number): void
  /** What has happened since the list was put together. */
  news: number
  showNews(): void
  loading: boolean
  error: unknown
  retry(): void
}

interface Shown {
  filter: string
  places: HistoryPlaces
  /** What has found its places already. */
  reads: ReadonlySet<HistoryRead>
}

/** The history of everything, of which the parts in sight are read. */
export function useHistory(filter: HistoryFilter): History {
  const key = JSON.stringify(filter)
  const [sight, setSight] = useState({ filter: key, first: 0, end: 1 })
  const [shown, setShown] = useState<Shown | null>(null)
  let current = shown?.filter === key ? shown : null
  const { first, end } = sight.filter === key ? sight : { first: 0, end: 1 }

  const head = useQuery(historyPageQuery(filter, 0))
  const pages = current === null ? [] : pagesFor(current.places, first, end)
  const rest = useQueries({ queries: pages.map((offset) => historyPageQuery(filter, offset)) })
  // What is put together anew is read anew; what is kept from before may be old.
  const usable = current === null && head.isFetching ? [] : [head.data, ...rest.map(({ data }) => data)]
  for (const read of usable) {
    if (read === undefined || current?.reads.has(read) === true) continue
    current = {
      filter: key,
      places: current === null ? firstPlaces(read) : addRead(current.places, read),
      reads: new Set([...(current?.reads ?? []), read]),
    }
  }
  if (current !== null && current !== shown) setShown(current)

  const places = current?.places
  const failed = rest.find(({ error }) => error !== null)
  return {
    total: places?.baseline ?? 0,
    entryAt: (place) => places?.entries.get(place),
    look: (from, to) => setSight({ filter: key, first: from, end: to }),
    news: places === undefined ? 0 : places.latest - places.baseline,
    showNews() {
      if (head.data === undefined) return
      setShown({ filter: key, places: firstPlaces(head.data), reads: new Set([head.data]) })
    },
    loading: current === null,
    error: head.error ?? failed?.error ?? null,
    retry: () => void (failed ?? head).refetch(),
  }
}
