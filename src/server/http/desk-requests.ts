import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import { texts } from './http.texts.ts'

/**
 * Accepts writes only from the desk itself, judging by `Origin`, which browsers always send and pages can't forge.
 * Throws ORIGIN_FORBIDDEN.
 */
export function assertDeskOrigin(req: IncomingMessage, origin: string): void {
  if (req.method === 'GET' || req.method === 'HEAD') return
  if (req.headers.origin?.toLowerCase() !== origin) {
    throw new DomainError('ORIGIN_FORBIDDEN', texts.access.deskOnly)
  }
}

/** A sign-in link clicked in an email is a cross-site navigation to a page of the desk. */
export function isNavigationToDesk(req: IncomingMessage): boolean {
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  return (
    req.method === 'GET' &&
    req.headers['sec-fetch-mode'] === 'navigate' &&
    req.headers['sec-fetch-dest'] === 'document' &&
    path.startsWith('/desk/') &&
    !path.startsWith('/desk/api/')
  )
}

export const foreignPage = (): DomainError => new DomainError('ORIGIN_FORBIDDEN', texts.access.otherWebsite)
