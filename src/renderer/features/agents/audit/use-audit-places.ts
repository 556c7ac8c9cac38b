import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auditPageSize } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditPage, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, whileFollowed } from '../agent-live.ts'
import { agentProjectQuery } from '../agents.api.ts'
import type { AuditQuery } from './audit-filter.ts'
import { auditPageQuery, auditStartQuery } from './audit.api.ts'
import type { AskedRow } from '../use-asked-row.ts'
import type { AuditList } from './audit-list.ts'

/** So many places beyond what is in sight are read ahead. */
const margin = 40
const countMs = 500

/** A look at the audit: everything in it is counted from the row that was the newest when it began. */
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
  /** The place of the row that was asked for. */
  start: number
  /** While rows are counted the first time, only those of `page` have places. */
  isCounted: boolean
}

/** Places of a million rows, of which those in sight are read. Nothing moves: what is new waits until it is asked for. */
export function useAuditPlaces(query: AuditQuery, asked: AskedRow, enabled: boolean): AuditList {
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
    ...auditStartQuery(query, look.around, look.round),
    enabled: enabled && folder !== undefined && (opened?.look !== look || !opened.isCounted),
    refetchInterval: ({ state }) => (state.data?.stamp.counting == null ? false : countMs),
  })
  const first = begin.data
  if (enabled && first !== undefined) {
    const next = open(opened?.look === look ? opened : null, look, first)
    if (next !== opened) setKnown(next)
    opened = next
  }

  const [sight, setSight] = useState({ look, first: 0, end: 1 })
  const start = opened?.start ?? 0
  const inSight = sight.look === opened?.look ? sight : { first: start, end: start + 1 }
  const offsets = opened?.isCounted !== true || !enabled ? [] : offsetsOf(inSight)
  const top = opened?.page.top ?? null
  const pages = useQueries({
    queries: offsets.map((offset) => whileFollowed(auditPageQuery(query, top, offset), paused)),
  })

  let latest: AuditPage | null = null
  let readAt = 0
  for (const { data, dataUpdatedAt } of pages) {
    if (data === undefined || dataUpdatedAt < readAt) continue
    latest = data
    readAt = dataUpdatedAt
  }
  latest ??= first ?? opened?.page ?? null
  const again = (): void => setWanted({ folder, identity, asked, around: null, round: look.round + 1 })
  // Another database has taken its place: what was counted from is not there any more.
  if (opened?.look === look && opened.isCounted && isAnother(top, latest?.summary.lastId ?? null)) again()

  const shown = opened?.page ?? null
  const rows = new Map<number, AuditRow>()
  for (const [index, row] of (shown?.items ?? []).entries()) rows.set((shown?.above ?? 0) + index, row)
  for (const [page, { data }] of pages.entries()) {
    for (const [index, row] of (data?.items ?? []).entries()) rows.set((offsets[page] ?? 0) + index, row)
  }
  const failed = pages.find(({ error }) => error !== null)
  const total = opened?.isCounted === true ? (latest?.total ?? 0) : (shown?.items.length ?? 0)
  return {
    view: JSON.stringify([opened?.look ?? identity, start]),
    start,
    inAddress: opened?.look === look,
    total,
    isWhole: opened?.isCounted === true,
    rows,
    look: (from, end) => setSight({ look: opened?.look ?? look, first: from, end }),
    fresh: latest?.fresh ?? 0,
    isFreshMore: false,
    showFresh: again,
    stamp: latest?.stamp ?? null,
    summary: latest?.summary ?? null,
    isPending: shown === null,
    error: begin.error ?? failed?.error ?? null,
    refetch: () => void (failed ?? begin).refetch(),
    search: null,
  }
}

/** What is shown stays as it was read first; where it stands among all is known when all are counted. */
function open(opened: Opened | null, look: Look, page: AuditPage): Opened {
  const isCounted = page.stamp.counting === null
  if (opened !== null && (opened.isCounted || !isCounted)) return opened
  if (opened !== null && look.around === null) return { ...opened, isCounted }
  return { look, page, start: placeOf(page, look.around), isCounted }
}

function placeOf({ items, above }: AuditPage, around: number | null): number {
  if (around === null) return 0
  const index = items.findIndex(({ id }) => id <= around)
  return (above ?? 0) + (index === -1 ? Math.max(0, items.length - 1) : index)
}

function offsetsOf({ first, end }: { first: number; end: number }): number[] {
  const from = Math.floor(Math.max(0, first - margin) / auditPageSize)
  const to = Math.floor((Math.max(first, end - 1) + margin) / auditPageSize)
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * auditPageSize)
}

function isAnother(top: number | null, lastId: number | null): boolean {
  if (top === null) return lastId !== null
  return lastId !== null && lastId < top
}
