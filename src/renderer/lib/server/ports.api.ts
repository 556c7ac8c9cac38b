import { queryOptions } from '@tanstack/react-query'
import { deskSettingsRoutes } from '../../../shared/contracts/desk-settings.ts'
import { call } from './client.ts'

export const portQuery = (port: number) =>
  queryOptions({
    queryKey: ['services', 'port', port],
    queryFn: ({ signal }) => call(deskSettingsRoutes.checkPort, { params: { port }, signal }),
    // Another program may take it at any moment.
    staleTime: 0,
  })

/** The port that is written in a field; null where that is none. */
export function readPort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : null
}
