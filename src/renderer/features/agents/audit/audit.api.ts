import { queryOptions } from '@tanstack/react-query'
import { deskAgentAuditRoutes } from '../../../../shared/contracts/desk-agents-audit.ts'
import { call } from '../../../lib/server/client.ts'
import type { AuditQuery } from './audit-filter.ts'

export interface AuditPlace {
  before?: number | undefined
  after?: number | undefined
  around?: number | undefined
  top?: number | undefined
  offset?: number | undefined
}

export const readAudit = (query: AuditQuery, place: AuditPlace, signal: AbortSignal) =>
  call(deskAgentAuditRoutes.listAudit, { query: { ...query, ...place }, signal })

/** `round` tells one look from the next: each begins with what is there then. */
export const auditStartQuery = (query: AuditQuery, around: number | null, round: number) =>
  queryOptions({
    queryKey: ['agents', 'audit', 'start', query, around, round],
    queryFn: ({ signal }) => readAudit(query, around === null ? {} : { around }, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** Rows from a place on, counted from the row that was the newest when one began to look. */
export const auditPageQuery = (query: AuditQuery, top: number | null, offset: number) =>
  queryOptions({
    queryKey: ['agents', 'audit', 'page', query, top, offset],
    queryFn: ({ signal }) => readAudit(query, { offset, ...(top === null ? {} : { top }) }, signal),
    gcTime: 60_000,
  })

/** What a search would find that has been written since. */
export const auditNewsQuery = (query: AuditQuery, top: number) =>
  queryOptions({
    queryKey: ['agents', 'audit', 'news', query, top],
    queryFn: ({ signal }) => readAudit(query, { after: top }, signal),
  })

export const auditRowQuery = (id: number) =>
  queryOptions({
    queryKey: ['agents', 'audit', 'row', id],
    queryFn: async ({ signal }) => {
      const { items } = await readAudit({}, { around: id }, signal)
      return items.find((row) => row.id === id) ?? null
    },
  })

export const auditFacetsQuery = queryOptions({
  queryKey: ['agents', 'audit', 'facets'],
  queryFn: ({ signal }) => call(deskAgentAuditRoutes.getAuditFacets, { signal }),
})
