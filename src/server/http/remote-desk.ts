import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import { foreignPage, isNavigationToDesk } from './desk-requests.ts'
import { texts } from './http.texts.ts'
import { addHeader } from './response-head.ts'
import { isHostOf } from './registry-origin.ts'
import { splitTarget } from './router.ts'

/** Headers of every answer of the remote desk. */
const headers = { 'Cross-Origin-Resource-Policy': 'same-origin', 'X-Frame-Options': 'DENY' }

/** Whether the request is for the desk or its API. */
export function isForDesk(req: IncomingMessage): boolean {
  const { path } = splitTarget(req.url ?? '')
  return path === '/desk' || path.startsWith('/desk/')
}

/**
 * Keeps other websites away from the remote desk, including other hosts of its own site, to which browsers send its cookie:
 * any other `Host`, `Origin` or `Sec-Fetch-Site` is refused, except for a navigation to one of its pages. Throws HOST_FORBIDDEN or
 * ORIGIN_FORBIDDEN.
 */
export function admitToRemoteDesk(req: IncomingMessage, res: ServerResponse, publicUrl: string): void {
  for (const [name, value] of Object.entries(headers)) addHeader(res, name, value)
  const url = new URL(publicUrl)
  const { origin } = url
  if (!isHostOf(url, req.headers.host)) {
    throw new DomainError('HOST_FORBIDDEN', texts.access.remoteDesk(origin))
  }
  const from = req.headers.origin
  if (from !== undefined && from.toLowerCase() !== origin) throw foreignPage()
  const site = req.headers['sec-fetch-site']
  const isOwn = site === undefined || site === 'same-origin' || site === 'none'
  if (!isOwn && !isNavigationToDesk(req)) throw foreignPage()
}
