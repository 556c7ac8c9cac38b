import { Readable } from 'node:stream'
import type { deskHistoryRoutes } from '../../../shared/contracts/desk-history.ts'
import type { Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { DeskHistory, HistoryExport } from './desk-history.service.ts'

export function deskHistoryHandlers(history: DeskHistory): Handlers<typeof deskHistoryRoutes> {
  return {
    listHistory: ({ caller, query }) => history.listHistory(caller, query),
    exportHistoryCsv: ({ caller, query }) =>
      replyWithExport('text/csv; charset=utf-8', history.exportHistory(caller, 'csv', query)),
    exportHistoryJson: ({ caller, query }) =>
      replyWithExport('application/json; charset=utf-8', history.exportHistory(caller, 'json', query)),
  }
}

/** Its size is known when it is sent. */
function replyWithExport(mediaType: string, { fileName, pieces }: HistoryExport): FileReply {
  return {
    mediaType,
    size: null,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    stream: () => Readable.from(pieces, { objectMode: false, highWaterMark: 65_536 }),
    close: () => Promise.resolve(),
  }
}
