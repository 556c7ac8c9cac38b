import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'
import { findAmbiguity } from './ambiguous-request.ts'
import { connectionAddress } from './client-address.ts'
import { sendError } from './error-handler.ts'
import { offerErrorPage } from './error-page.ts'
import type { MakeErrorPage } from './error-page.ts'
import { noteRequest } from './request-log.ts'
import { addHeader } from './response-head.ts'
import type { RequestMeter } from './service-meter.ts'

/** What answers the requests of a listener. */
export interface Application {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Makes error pages for browsers; without it every error is an ErrorResponse. */
  errorPage?: MakeErrorPage
  /** Ends event streams; called when a stop begins. */
  endStreams?(): void
}

interface RequestEntryOptions {
  name: string
  log: Logger
  /** Whether to log every request, or all except quick, successful reads. */
  requestLines: 'all' | 'notable'
  /** Headers of every answer. */
  headers(): Record<string, string>
  meter: RequestMeter
  /** The application while it accepts requests, else null. */
  application(): Application | null
}

/** `isClosing`: this is the last answer on its connection. */
export type OnRequest = (req: IncomingMessage, res: ServerResponse, isClosing: boolean) => void

/** What happens to every request before its application gets it. */
export function createRequestEntry(options: RequestEntryOptions): OnRequest {
  const { name, log, requestLines, headers, meter } = options
  const requestPrefix = randomBytes(4).toString('hex')
  const context = { log, clientOf: connectionAddress }
  let requests = 0

  return (req, res, isClosing) => {
    requests += 1
    const requestId = `${requestPrefix}-${requests.toString(36)}`
    noteRequest({ service: name, requestId, log, lines: requestLines, meter }, req, res)
    for (const [header, value] of Object.entries(headers())) addHeader(res, header, value)
    const application = options.application()
    if (application?.errorPage !== undefined) offerErrorPage(req, application.errorPage)
    addHeader(res, 'X-Request-Id', requestId)
    const ambiguity = findAmbiguity(req)
    // What follows an ambiguous request on its connection may be part of it.
    if (isClosing || ambiguity !== null) addHeader(res, 'Connection', 'close')
    if (application === null) {
      const stopping = new DomainError('STOPPING', unavailableTexts.stopping, { retryAfter: 5 })
      sendError(req, res, stopping, context)
      return
    }
    if (ambiguity !== null) {
      sendError(req, res, new DomainError('BAD_REQUEST', ambiguity), context)
      return
    }
    application.handle(req, res)
  }
}
