import type { deskAuditLogRoutes } from '../../../shared/contracts/desk-audit-log.ts'
import { replyWithExport } from '../../http/downloads.ts'
import type { Handlers } from '../../http/mount.ts'
import type { AuditLog } from './audit-log.service.ts'

export function auditLogHandlers(audit: AuditLog): Handlers<typeof deskAuditLogRoutes> {
  return {
    listAuditLog: ({ query }) => audit.listAuditLog(query),
    exportAuditLogCsv: ({ query }) => replyWithExport('csv', audit.exportAuditLog('csv', query)),
    exportAuditLogNdjson: ({ query }) => replyWithExport('ndjson', audit.exportAuditLog('ndjson', query)),
  }
}
