import type { deskAuditLogRoutes } from '../../../shared/contracts/desk-audit-log.ts'
import type { Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { AuditExport, AuditLog } from './audit-log.service.ts'

export function auditLogHandlers(audit: AuditLog): Handlers<typeof deskAuditLogRoutes> {
  return {
    listAuditLog: ({ query }) => audit.listAuditLog(query),
    exportAuditLogCsv: ({ query }) =>
      replyWithExport('text/csv; charset=utf-8', audit.exportAuditLog('csv', query)),
    exportAuditLogNdjson: ({ query }) =>
      replyWithExport('application/x-ndjson; charset=utf-8', audit.exportAuditLog('ndjson', query)),
  }
}

/** Streams the export. Its size is not known in advance. */
function replyWithExport(mediaType: string, { fileName, pieces }: AuditExport): FileReply {
  return {
    mediaType,
    size: null,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    chunks: () => pieces,
  }
}
