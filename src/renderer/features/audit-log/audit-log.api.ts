import { deskAuditLogRoutes } from '../../../shared/contracts/desk-audit-log.ts'
import { routeQuery } from '../../lib/server/route-query.ts'
import { auditLogFilter } from './audit-log-filter.ts'
import type { AuditLogFilter } from './audit-log-filter.ts'

export const auditLogPageQuery = (filter: AuditLogFilter, offset: number) =>
  routeQuery(['history', filter, offset], deskAuditLogRoutes.listAuditLog, {
    query: { ...auditLogFilter.query(filter), offset },
  })

/** The routes that export all events of a filter. */
export const auditLogExports = {
  csv: deskAuditLogRoutes.exportAuditLogCsv,
  ndjson: deskAuditLogRoutes.exportAuditLogNdjson,
}
