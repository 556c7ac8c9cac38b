import type { AuditQuery } from './audit-filter.ts'
import type { AuditList } from './audit-list.ts'
import type { AskedRow } from '../use-asked-row.ts'
import { useAuditPlaces } from './use-audit-places.ts'
import { useFoundAudit } from './use-found-audit.ts'

/** The rows of a filter: with a text they are searched for, else each has its place. */
export function useAuditList(query: AuditQuery, asked: AskedRow): AuditList {
  const isSearch = query['q'] !== undefined
  const places = useAuditPlaces(query, asked, !isSearch)
  const found = useFoundAudit(query, isSearch)
  return isSearch ? found : places
}
