import { queryOptions } from '@tanstack/react-query'
import { deskHistoryRoutes } from '../../../shared/contracts/desk-history.ts'
import { addressOf } from '../../../shared/route-call.ts'
import { call } from '../../lib/client.ts'
import { historyQuery } from './history-filter.ts'
import type { HistoryFilter } from './history-filter.ts'
import type { HistoryRead } from './history-places.ts'

export const historyPageQuery = (filter: HistoryFilter, offset: number) =>
  queryOptions({
    queryKey: ['history', filter, offset],
    queryFn: async ({ signal }): Promise<HistoryRead> => {
      const query = { ...historyQuery(filter), offset }
      return { from: offset, ...(await call(deskHistoryRoutes.listHistory, { query, signal })) }
    },
  })

/** Where the browser saves what the filter finds. */
export function exportAddress(format: 'csv' | 'json', filter: HistoryFilter): string {
  const { exportHistoryCsv, exportHistoryJson } = deskHistoryRoutes
  const { path } = format === 'csv' ? exportHistoryCsv : exportHistoryJson
  return addressOf(path, {}, historyQuery(filter))
}
