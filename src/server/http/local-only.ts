import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import { texts } from './http.texts.ts'

const loopbackName = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Keeps websites away from the local listener (rulings, "Dashboard API"): a foreign name in `Host` is a rebound
 * DNS entry, a foreign `Origin` or a cross-site fetch is a script of another website. Throws
 * HOST_FORBIDDEN or ORIGIN_FORBIDDEN.
 */
export function assertLocalRequest(req: IncomingMessage): void {
  const host = req.headers.host ?? ''
  if (!loopbackName.test(host)) {
    throw new DomainError('HOST_FORBIDDEN', texts.access.localOnly)
  }
  const origin = req.headers.origin
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) throw foreignPage()
  if (req.headers['sec-fetch-site'] === 'cross-site' && !isNavigationToDesk(req)) throw foreignPage()
}

/**
 * Accepts writes only from the desk itself, judging by `Origin`, which browsers always send and pages can't forge.
 * Throws ORIGIN_FORBIDDEN.
 */
export function assertDeskOrigin(req: IncomingMessage): void {
  if (req.method === 'GET' || req.method === 'HEAD') return
  const origin = `http://${(req.headers.host ?? '').toLowerCase()}`
  if (req.headers.origin?.toLowerCase() !== origin) {
    throw new DomainError('ORIGIN_FORBIDDEN', texts.access.deskOnly)
  }
}

/** A sign-in link clicked in an email is a cross-site navigation to a page of the desk. */
function isNavigationToDesk(req: IncomingMessage): boolean {
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  return (
    req.method === 'GET' &&
    req.headers['sec-fetch-mode'] === 'navigate' &&
    req.headers['sec-fetch-dest'] === 'document' &&
    path.startsWith('/desk/') &&
    !path.startsWith('/desk/api/')
  )
}

const foreignPage = (): DomainError => new DomainError('ORIGIN_FORBIDDEN', texts.access.otherWebsite)
