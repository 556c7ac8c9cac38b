import { queryOptions } from '@tanstack/react-query'
import { deskAuditLogRoutes } from '../../../shared/contracts/desk-audit-log.ts'
import { call } from '../../lib/server/client.ts'
import { auditLogFilter } from './audit-log-filter.ts'
import type { AuditLogFilter } from './audit-log-filter.ts'

export const auditLogPageQuery = (filter: AuditLogFilter, offset: number) =>
  queryOptions({
    queryKey: ['history', filter, offset],
    queryFn: ({ signal }) =>
      call(deskAuditLogRoutes.listAuditLog, { query: { ...auditLogFilter.query(filter), offset }, signal }),
  })

/** The routes that export all events of a filter. */
export const auditLogExports = {
  csv: deskAuditLogRoutes.exportAuditLogCsv,
  ndjson: deskAuditLogRoutes.exportAuditLogNdjson,
}
