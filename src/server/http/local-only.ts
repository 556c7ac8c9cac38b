import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import { assertDeskOrigin, foreignPage, isNavigationToDesk } from './desk-requests.ts'
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

/** Accepts writes only from the desk at this address. Throws ORIGIN_FORBIDDEN. */
export function assertLocalDeskOrigin(req: IncomingMessage): void {
  assertDeskOrigin(req, `http://${(req.headers.host ?? '').toLowerCase()}`)
}
