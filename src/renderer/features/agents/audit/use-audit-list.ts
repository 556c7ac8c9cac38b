import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AuditPage, AuditRow, AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import { agentPageSize } from '../../../../shared/contracts/desk-agents-common.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { useViewState } from '../../../lib/state/use-view-state.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { call } from '../../../lib/server/client.ts'
import type { DataRows } from '../../../components/list/data-table.tsx'
import type { ListState } from '../table/table-page.tsx'
import { useTableRows } from '../table/table-section.tsx'
import { idOf } from '../../../lib/list/paged-list.ts'
import { newRowsLabel } from '../../../lib/list/use-paged-list.ts'
import { useDebouncedEffect, useRequestedRow } from '../../../lib/app/page-address.ts'
import type { RequestedRow } from '../../../lib/app/page-address.ts'
import type { AuditQuery } from './audit-filter.ts'
import type { AuditFound } from './audit-labels.ts'
import { texts } from '../agents.texts.ts'

type Place = Partial<Record<'before' | 'after' | 'around' | 'top' | 'offset', number | undefined>>

/** The audit rows of a filter from a place. A new `round` reads them again from the newest row. */
export const auditQueryAt = (query: AuditQuery, place: Place, round = 0) =>
  agentRead(deskAgentRoutes.listAudit, { ...query, ...place }, round)

/** The state of the audit list that its page shows, for a search and for all rows. */
export interface AuditList extends ListState, DataRows<AuditRow> {
  /** The loaded rows, by place. */
  rows: readonly (readonly [place: number, row: AuditRow])[]
  isWhole: boolean
  summary: AuditSummary | null
  search: { found: AuditFound; cancel: () => void; resume: () => void } | null
}

/** The rows of a filter. With a search text they are searched part by part, otherwise each has a place. */
export function useAuditList(query: AuditQuery): AuditList {
  const isSearch = query['q'] !== undefined
  const places = useAuditPlaces(query, !isSearch)
  const found = useFoundAudit(query, isSearch)
  return isSearch ? found : places
}

const countMs = 500

/** A requested position. All places are counted from the row that was the newest then. */
interface Snapshot {
  /** The filter. */
  identity: string
  requested: RequestedRow
  around: number | null
  round: number
}

interface Loaded {
  snapshot: Snapshot
  page: AuditPage
  /** The place of the row that was requested. */
  start: number
  /** While rows are being counted for the first time, only those of `page` have places. */
  isCounted: boolean
}

/** The places of a million rows, of which only the visible ones are read. The first visible row is in the address. */
function useAuditPlaces(query: AuditQuery, enabled: boolean): AuditList {
  const { requested, write } = useRequestedRow()
  const identity = JSON.stringify(query)
  const [current, setCurrent] = useState<Snapshot>(() => ({
    identity,
    requested,
    around: requested.id,
    round: Date.now(),
  }))
  const snapshotAt = (around: number | null): Snapshot => ({
    identity,
    requested,
    around,
    round: current.round + 1,
  })
  let snapshot = current
  if (requested !== current.requested) snapshot = snapshotAt(requested.id)
  else if (identity !== current.identity) snapshot = snapshotAt(null)
  if (snapshot !== current) setCurrent(snapshot)

  const [stored, setStored] = useState<Loaded | null>(null)
  let loaded = stored?.snapshot.identity === identity ? stored : null
  const firstRead = useQuery({
    ...auditQueryAt(query, { around: snapshot.around ?? undefined }, snapshot.round),
    staleTime: 0,
    gcTime: 0,
    enabled: enabled && (loaded?.snapshot !== snapshot || !loaded.isCounted),
    refetchInterval: ({ state }) => (state.data?.stamp.counting == null ? false : countMs),
  })
  if (enabled && firstRead.data !== undefined) {
    const next = merge(loaded?.snapshot === snapshot ? loaded : null, snapshot, firstRead.data)
    if (next !== loaded) setStored(next)
    loaded = next
  }

  const { page = null, start = 0, isCounted = false } = loaded ?? {}
  const top = page?.top ?? null
  const list = useTableRows({
    route: deskAgentRoutes.listAudit,
    query: isCounted && top !== null ? { ...query, top: String(top) } : query,
    keyOf: idOf,
    inAddress: false,
    opened: {
      view: JSON.stringify([loaded?.snapshot ?? identity, start]),
      start,
      read: page && {
        from: page.above ?? 0,
        page: isCounted ? page : { ...page, total: page.items.length },
      },
      isCounted: isCounted && enabled,
    },
  })

  const latest = list.data ?? firstRead.data ?? page
  const reload = (): void => setCurrent(snapshotAt(null))
  // The database was replaced, so the row that places are counted from no longer exists.
  const lastId = latest?.summary.lastId ?? null
  const isReplaced = lastId !== null && (top === null || lastId < top)
  if (loaded?.snapshot === snapshot && isCounted && isReplaced) reload()

  const [first, setFirst] = useViewState<number | null>(list.view, null)
  // Not while another position is being loaded.
  const place = loaded?.snapshot === snapshot ? first : null
  useDebouncedEffect(place === 0 ? null : place === null ? undefined : list.rowAt(place)?.id, (id) => {
    if (id !== undefined) write(id)
  })

  const fresh = latest?.fresh ?? 0
  return {
    ...list,
    isWhole: isCounted,
    rows: list.window.rows.map((row, index) => [list.window.start + index, row]),
    loadVisible(places) {
      setFirst(places.first)
      list.loadVisible(places)
    },
    newsText: newRowsLabel(fresh > 0 ? { added: fresh } : list.difference, texts.audit.noun),
    showNews: reload,
    stamp: latest?.stamp ?? null,
    summary: latest?.summary ?? null,
    error: firstRead.error ?? list.error,
    refetch: list.error === null ? firstRead.refetch : list.refetch,
    search: null,
  }
}

/** Keeps what was read first; its place among all rows is known once all are counted. */
function merge(loaded: Loaded | null, snapshot: Snapshot, page: AuditPage): Loaded {
  const isCounted = page.stamp.counting === null
  if (loaded !== null && (loaded.isCounted || !isCounted)) return loaded
  if (loaded !== null && snapshot.around === null) return { ...loaded, isCounted }
  return { snapshot, page, start: placeOf(page, snapshot.around), isCounted }
}

function placeOf({ items, above }: AuditPage, around: number | null): number {
  if (around === null) return 0
  const index = items.findIndex(({ id }) => id <= around)
  return (above ?? 0) + (index === -1 ? Math.max(0, items.length - 1) : index)
}

/** The results of a search over the rows that existed when it began. It continues as the user scrolls; newer matches are announced. */
function useFoundAudit(query: AuditQuery, enabled: boolean): AuditList {
  const [round, setRound] = useState(Date.now)
  const view = JSON.stringify([query, round])
  const [progress, setProgress] = useViewState(view, { wanted: agentPageSize, isCanceled: false })
  const client = useQueryClient()
  const queryKey = ['audit search', view]
  // Reads part by part, from the newest row, as many rows as are wanted. Changes of the database do not restart it.
  const search = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }: { pageParam: Place; signal: AbortSignal }) =>
      call(deskAgentRoutes.listAudit, { query: { ...query, ...pageParam }, signal }),
    initialPageParam: {},
    getNextPageParam: ({ older }, [newest]): Place | null =>
      older === null ? null : { before: older, top: newest?.top ?? undefined },
    enabled: false,
    retry: false,
    gcTime: 0,
    structuralSharing: false,
  })
  const { data, isFetching, fetchNextPage } = search
  const rows = data?.pages.flatMap(({ items }) => items) ?? []
  const page = data?.pages.at(-1) ?? null
  const isDone = page !== null && page.older === null
  const error = isFetching ? null : search.error
  const isWanted =
    enabled && !isDone && !progress.isCanceled && error === null && rows.length < progress.wanted
  const isNext = isWanted && !isFetching
  useEffect(() => {
    if (isNext) void fetchNextPage()
  }, [isNext, fetchNextPage])

  const top = data?.pages[0]?.top ?? null
  const news = useAgentRead({ ...auditQueryAt(query, { after: top ?? 0 }), enabled: enabled && top !== null })
  const fresh = news.data?.items.length ?? 0
  const resume = (): void => {
    setProgress({ ...progress, isCanceled: false })
    void fetchNextPage()
  }
  const cancel = (): void => {
    setProgress({ ...progress, isCanceled: true })
    void client.cancelQueries({ queryKey })
  }
  const stopped = error === null ? 'paused' : 'failed'
  const state = isDone ? 'done' : progress.isCanceled ? 'canceled' : isWanted ? 'searching' : stopped
  return {
    view,
    total: rows.length,
    isWhole: isDone,
    rowAt: (place) => rows[place],
    rows: [...rows.entries()],
    loadVisible({ end }) {
      if (end <= rows.length - agentPageSize / 2 || progress.wanted > rows.length) return
      setProgress({ ...progress, wanted: rows.length + agentPageSize })
    },
    newsText: fresh === 0 ? null : texts.audit.news(fresh, news.data?.newer != null),
    showNews: () => setRound(round + 1),
    stamp: news.data?.stamp ?? page?.stamp ?? null,
    summary: news.data?.summary ?? page?.summary ?? null,
    isPending: page === null,
    error,
    refetch: resume,
    search: { found: { rows: rows.length, top, at: page?.older ?? null, state, page }, cancel, resume },
  }
}
