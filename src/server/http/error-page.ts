import type { IncomingMessage } from 'node:http'
import type { DomainError } from '../../shared/errors.ts'

/** An HTML page in place of an ErrorResponse. */
interface ErrorPage {
  bytes: Buffer
  headers: Record<string, string>
}

export type MakeErrorPage = (error: DomainError, status: number) => ErrorPage

const makers = new WeakMap<IncomingMessage, MakeErrorPage>()

/** Registers the page maker for a request to a service that has pages. */
export function offerErrorPage(req: IncomingMessage, make: MakeErrorPage): void {
  makers.set(req, make)
}

export function hasErrorPages(req: IncomingMessage): boolean {
  return makers.has(req)
}

/**
 * Null if the answer is an ErrorResponse (rulings, "ErrorResponse"): for API paths and clients that are not browsers.
 */
export function errorPageFor(req: IncomingMessage, error: DomainError, status: number): ErrorPage | null {
  const make = makers.get(req)
  if (make === undefined || !asksFor('text/html', req)) return null
  if (/^\/(?:api|desk\/api|docs-markdown)(?:[/?]|$)/.test(req.url ?? '')) return null
  return make(error, status)
}

/** Whether `Accept` names the media type; a client that only accepts anything does not ask for it. */
export function asksFor(mediaType: string, { headers }: IncomingMessage): boolean {
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
