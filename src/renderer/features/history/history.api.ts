import { queryOptions } from '@tanstack/react-query'
import { deskHistoryRoutes } from '../../../shared/contracts/desk-history.ts'
import { call } from '../../lib/server/client.ts'
import { historyFilter } from './history-filter.ts'
import type { HistoryFilter } from './history-filter.ts'

export const historyPageQuery = (filter: HistoryFilter, offset: number) =>
  queryOptions({
    queryKey: ['history', filter, offset],
    queryFn: ({ signal }) =>
      call(deskHistoryRoutes.listHistory, { query: { ...historyFilter.query(filter), offset }, signal }),
  })

/** The routes that export all events of a filter. */
export const historyExports = {
  csv: deskHistoryRoutes.exportHistoryCsv,
  ndjson: deskHistoryRoutes.exportHistoryNdjson,
}
