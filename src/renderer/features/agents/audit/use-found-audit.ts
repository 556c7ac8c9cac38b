import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { auditPageSize } from '../../../../shared/contracts/desk-agents-audit.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentProjectQuery } from '../agents.api.ts'
import type { AuditQuery } from './audit-filter.ts'
import { createAuditSearch } from './audit-search.ts'
import type { AuditFound, AuditSearch } from './audit-search.ts'
import { auditNewsQuery, readAudit } from './audit.api.ts'
import type { AuditList } from './audit-list.ts'

const nothing = createStore<AuditFound>({
  rows: [],
  top: null,
  at: null,
  state: 'searching',
  error: null,
  page: null,
})

/** What a search has found, as it was then: it goes on as far as one looks, and what is written later is announced. */
export function useFoundAudit(query: AuditQuery, enabled: boolean): AuditList {
  const folder = useQuery(agentProjectQuery).data?.folder ?? null
  const [round, setRound] = useState(0)
  const identity = JSON.stringify([folder, query, round])
  const [running, setRunning] = useState<{ identity: string; search: AuditSearch } | null>(null)
  let current = running?.identity === identity ? running : null
  if (current === null && enabled) {
    const search = createAuditSearch((place, signal) => readAudit(query, place, signal), auditPageSize)
    current = { identity, search }
    setRunning(current)
  }
  const search = enabled ? (current?.search ?? null) : null
  useEffect(() => {
    search?.want(auditPageSize)
    return () => search?.end()
  }, [search])

  const found = useStore(search?.found ?? nothing)
  const { rows, top, state, page, error } = found
  const news = useAgentRead({ ...auditNewsQuery(query, top ?? 0), enabled: enabled && top !== null })
  return {
    view: identity,
    start: 0,
    inAddress: false,
    total: rows.length,
    isWhole: state === 'done',
    rows: new Map(rows.entries()),
    look(_first, end) {
      if (end > rows.length - auditPageSize / 2) search?.want(rows.length + auditPageSize)
    },
    fresh: news.data?.items.length ?? 0,
    isFreshMore: news.data?.newer != null,
    showFresh: () => setRound(round + 1),
    stamp: news.data?.stamp ?? page?.stamp ?? null,
    summary: news.data?.summary ?? page?.summary ?? null,
    isPending: page === null,
    error,
    refetch: () => search?.goOn(),
    search: {
      found,
      cancel: () => search?.cancel(),
      goOn: () => search?.goOn(),
    },
  }
}
