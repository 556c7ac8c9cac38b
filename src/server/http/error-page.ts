import type { IncomingMessage } from 'node:http'
import type { DomainError } from '../../shared/errors.ts'

/** An HTML page in place of an ErrorResponse. */
interface ErrorPage {
  bytes: Buffer
  headers: Record<string, string>
}

export type MakeErrorPage = (error: DomainError, status: number) => ErrorPage

const pageMaker = Symbol('page maker')
type Offered = IncomingMessage & { [pageMaker]?: MakeErrorPage }

/** Registers the page maker for a request to a service that has pages. A property costs less than an entry in a WeakMap. */
export function offerErrorPage(req: IncomingMessage, make: MakeErrorPage): void {
  ;(req as Offered)[pageMaker] = make
}

export function hasErrorPages(req: IncomingMessage): boolean {
  return pageMaker in req
}

/**
 * Null if the answer is an ErrorResponse (rulings, "ErrorResponse"): for API paths and clients that are not browsers.
 */
export function errorPageFor(req: IncomingMessage, error: DomainError, status: number): ErrorPage | null {
  const make = (req as Offered)[pageMaker]
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
