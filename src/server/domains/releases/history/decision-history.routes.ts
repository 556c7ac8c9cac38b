import type { deskHistoryRoutes } from '../../../../shared/contracts/desk-history.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { FileReply } from '../../../http/replies.ts'
import type { DecisionHistory, HistoryExport } from './decision-history.service.ts'

export function decisionHistoryHandlers(history: DecisionHistory): Handlers<typeof deskHistoryRoutes> {
  return {
    listHistory: ({ query }) => history.listHistory(query),
    exportHistoryCsv: ({ query }) =>
      replyWithExport('text/csv; charset=utf-8', history.exportHistory('csv', query)),
    exportHistoryJson: ({ query }) =>
      replyWithExport('application/json; charset=utf-8', history.exportHistory('json', query)),
  }
}

/** Streams the export. Its size is not known in advance. */
function replyWithExport(mediaType: string, { fileName, pieces }: HistoryExport): FileReply {
  return {
    mediaType,
    size: null,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    chunks: () => pieces,
  }
}
