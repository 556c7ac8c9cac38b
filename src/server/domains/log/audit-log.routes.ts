import type { deskHistoryRoutes } from '../../../shared/contracts/desk-history.ts'
import type { Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { AuditExport, AuditLog } from './audit-log.service.ts'

export function auditLogHandlers(audit: AuditLog): Handlers<typeof deskHistoryRoutes> {
  return {
    listHistory: ({ query }) => audit.listHistory(query),
    exportHistoryCsv: ({ query }) =>
      replyWithExport('text/csv; charset=utf-8', audit.exportHistory('csv', query)),
    exportHistoryNdjson: ({ query }) =>
      replyWithExport('application/x-ndjson; charset=utf-8', audit.exportHistory('ndjson', query)),
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
