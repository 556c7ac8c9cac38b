import { queryOptions } from '@tanstack/react-query'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import { call } from './client.ts'

export const portQuery = (port: number) =>
  queryOptions({
    queryKey: ['services', 'port', port],
    queryFn: ({ signal }) => call(deskOperationRoutes.checkPort, { params: { port }, signal }),
    // Another program may take the port at any time.
    staleTime: 0,
  })

/** Parses a port number; null if it is not one. */
export function readPort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : null
}
