import type { IncomingMessage } from 'node:http'
import type { DomainError } from '../../shared/errors.ts'

/** A page for people, instead of an ErrorResponse. */
export interface ErrorPage {
  bytes: Buffer
  headers: Record<string, string>
}

export type MakeErrorPage = (error: DomainError, status: number) => ErrorPage

const makers = new WeakMap<IncomingMessage, MakeErrorPage>()

/** For each request to a service that has pages. */
export function offerErrorPage(req: IncomingMessage, make: MakeErrorPage): void {
  makers.set(req, make)
}

export function hasErrorPages(req: IncomingMessage): boolean {
  return makers.has(req)
}

/** Null where an ErrorResponse is the answer (rulings, "ErrorResponse"): below these addresses, and to programs. */
export function errorPageFor(req: IncomingMessage, error: DomainError, status: number): ErrorPage | null {
  const make = makers.get(req)
  if (make === undefined || !asksForHtml(req.headers.accept)) return null
  // Express keeps the address as it came beside the one that it has cut.
  const { originalUrl = req.url ?? '' } = req as IncomingMessage & { originalUrl?: string }
  if (/^\/(?:api|docs-markdown)(?:[/?]|$)/.test(originalUrl)) return null
  return make(error, status)
}

/** Whether it is named; what takes anything is no browser. */
function asksForHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
