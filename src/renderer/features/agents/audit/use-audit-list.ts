import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { auditPageSize } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditPage, AuditRow, AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, useAgentRead, whileFollowed } from '../agent-live.ts'
import { call } from '../../../lib/server/client.ts'
import { agentProjectQuery, agentRead } from '../agents.api.ts'
import type { DataRows } from '../../../components/list/data-table.tsx'
import { pagesAround } from '../../../lib/list/still-list.ts'
import type { ListState } from '../table/table-page.tsx'
import { newsWords, useStillList } from '../../../lib/list/use-still-list.ts'
import type { AskedRow } from '../../../lib/app/address.ts'
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
  /** Whether the scroll position is in the address: not for a search, nor while another position is being opened. */
  inAddress: boolean
  summary: AuditSummary | null
  search: { found: AuditFound; cancel: () => void; resume: () => void } | null
}

/** The rows of a filter. With a search text they are searched part by part, otherwise each has a place. */
export function useAuditList(query: AuditQuery, asked: AskedRow): AuditList {
  const isSearch = query['q'] !== undefined
  const places = useAuditPlaces(query, asked, !isSearch)
  const found = useFoundAudit(query, isSearch)
  return isSearch ? found : places
}

/** How many places beyond the visible ones are read ahead. */
const margin = 40
const countMs = 500

/** A position that was asked for. All places are counted from the row that was the newest then. */
interface Look {
  folder: string | null | undefined
  identity: string
  asked: AskedRow
  around: number | null
  round: number
}

interface Opened {
  look: Look
  page: AuditPage
  /** The latest response, which may be for places that are no longer visible. */
  newest: AuditPage
  /** The place of the row that was requested. */
  start: number
  /** While rows are being counted for the first time, only those of `page` have places. */
  isCounted: boolean
}

/** The places of a million rows, of which only the visible ones are read. */
function useAuditPlaces(query: AuditQuery, asked: AskedRow, enabled: boolean): AuditList {
  const folder = useQuery(agentProjectQuery).data?.folder
  const paused = useStore(pausedSince) !== null
  const identity = JSON.stringify(query)
  const [wanted, setWanted] = useState<Look>({ folder, identity, asked, around: asked.id, round: 0 })
  let look = wanted
  const isOther = identity !== wanted.identity || (wanted.folder !== undefined && folder !== wanted.folder)
  if (asked !== wanted.asked || isOther || folder !== wanted.folder) {
    const around = isOther && asked === wanted.asked ? null : asked.id
    look = { folder, identity, asked, around, round: wanted.round + 1 }
  }
  if (look !== wanted) setWanted(look)

  const [known, setKnown] = useState<Opened | null>(null)
  let opened = known?.look.identity === identity && known.look.folder === folder ? known : null
  const begin = useQuery({
    ...auditQueryAt(query, { around: look.around ?? undefined }, look.round + 1),
    staleTime: 0,
    gcTime: 0,
    enabled: enabled && folder !== undefined && (opened?.look !== look || !opened.isCounted),
    refetchInterval: ({ state }) => (state.data?.stamp.counting == null ? false : countMs),
  })
  if (enabled && begin.data !== undefined) {
    const next = open(opened?.look === look ? opened : null, look, begin.data)
    if (next !== opened) setKnown(next)
    opened = next
  }

  const view = JSON.stringify([opened?.look ?? identity, opened?.start])
  const start = opened?.start ?? 0
  const isCounted = opened?.isCounted === true
  const [sight, setSight] = useState({ view, first: start, last: start })
  const { first, last } = sight.view === view ? sight : { first: start, last: start }
  const offsets = isCounted && enabled ? pagesAround(first - margin, last + margin, auditPageSize) : []
  const shown = opened?.page ?? null
  const top = shown?.top ?? null
  const pages = useQueries({
    queries: offsets.map((offset) =>
      whileFollowed(auditQueryAt(query, { offset, top: top ?? undefined }), paused),
    ),
  })
  const reads = pages.flatMap(({ data, dataUpdatedAt }, index) =>
    data === undefined ? [] : [{ offset: offsets[index] ?? 0, page: data, readAt: dataUpdatedAt }],
  )
  // The first response, until there is a page with the same rows.
  const above = shown?.above ?? 0
  if (shown !== null && !reads.some(({ offset }) => offset === above)) {
    const page = isCounted ? shown : { ...shown, total: shown.items.length }
    reads.unshift({ offset: above, page, readAt: 0 })
  }
  const still = useStillList<AuditRow>({
    identity: JSON.stringify([view, isCounted]),
    keyOf: ({ id }) => String(id),
    pageSize: auditPageSize,
  }).take(reads.map(({ page, ...read }) => ({ ...read, page, source: page.stamp, isFetching: false })))

  const newest = newestOf(reads.map(({ page }) => page).concat(opened?.newest ?? []))
  if (opened !== null && newest !== null && newest !== opened.newest) setKnown({ ...opened, newest })
  const latest = newest ?? begin.data ?? null
  const again = (): void => setWanted({ folder, identity, asked, around: null, round: look.round + 1 })
  // The database was replaced, so the row that places are counted from no longer exists.
  if (opened?.look === look && isCounted && isReplaced(top, latest?.summary.lastId ?? null)) again()

  const fresh = latest?.fresh ?? 0
  const failed = pages.find(({ error }) => error !== null)
  return {
    ...still,
    view,
    start,
    isWhole: isCounted,
    inAddress: opened?.look === look,
    look: (from, to) => setSight({ view, first: from, last: to }),
    newsText: newsWords(fresh > 0 ? { added: fresh } : still.news, texts.audit.noun),
    showNews: again,
    stamp: latest?.stamp ?? null,
    summary: latest?.summary ?? null,
    isPending: shown === null,
    error: begin.error ?? failed?.error ?? null,
    refetch: () => void (failed ?? begin).refetch(),
    search: null,
  }
}

/** Keeps what was read first; its place among all rows is known once all are counted. */
function open(opened: Opened | null, look: Look, page: AuditPage): Opened {
  const isCounted = page.stamp.counting === null
  if (opened !== null && (opened.isCounted || !isCounted)) return opened
  if (opened !== null && look.around === null) return { ...opened, isCounted }
  return { look, page, newest: page, start: placeOf(page, look.around), isCounted }
}

const newestOf = (pages: readonly AuditPage[]): AuditPage | null =>
  pages.toSorted((one, other) => one.stamp.readAt.localeCompare(other.stamp.readAt)).at(-1) ?? null

function placeOf({ items, above }: AuditPage, around: number | null): number {
  if (around === null) return 0
  const index = items.findIndex(({ id }) => id <= around)
  return (above ?? 0) + (index === -1 ? Math.max(0, items.length - 1) : index)
}

function isReplaced(top: number | null, lastId: number | null): boolean {
  if (top === null) return lastId !== null
  return lastId !== null && lastId < top
}

/** The results of a search over the rows that existed when it began. It continues as the user scrolls; newer matches are announced. */
function useFoundAudit(query: AuditQuery, enabled: boolean): AuditList {
  const folder = useQuery(agentProjectQuery).data?.folder ?? null
  const [round, setRound] = useState(0)
  const view = JSON.stringify([folder, query, round])
  const first = { view, wanted: auditPageSize, isCancelled: false }
  const [known, setAsked] = useState(first)
  const asked = known.view === view ? known : first
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
  const isWanted = enabled && !isDone && !asked.isCancelled && error === null && rows.length < asked.wanted
  const isNext = isWanted && !isFetching
  useEffect(() => {
    if (isNext) void fetchNextPage()
  }, [isNext, fetchNextPage])

  const top = data?.pages[0]?.top ?? null
  const news = useAgentRead({ ...auditQueryAt(query, { after: top ?? 0 }), enabled: enabled && top !== null })
  const fresh = news.data?.items.length ?? 0
  const resume = (): void => {
    setAsked({ ...asked, isCancelled: false })
    void fetchNextPage()
  }
  const cancel = (): void => {
    setAsked({ ...asked, isCancelled: true })
    void client.cancelQueries({ queryKey })
  }
  const ended = error === null ? 'paused' : 'failed'
  const state = isDone ? 'done' : asked.isCancelled ? 'cancelled' : isWanted ? 'searching' : ended
  return {
    view,
    total: rows.length,
    isWhole: isDone,
    rowAt: (place) => rows[place],
    rows: [...rows.entries()],
    inAddress: false,
    look(_first, last) {
      if (last < rows.length - auditPageSize / 2 || asked.wanted > rows.length) return
      setAsked({ ...asked, wanted: rows.length + auditPageSize })
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
