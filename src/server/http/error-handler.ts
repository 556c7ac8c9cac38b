import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOciPath, ociCodeOf } from '../../shared/contracts/oci.ts'
import type { OciErrors } from '../../shared/contracts/oci.ts'
import { DomainError } from '../../shared/errors.ts'
import type { ErrorResponse, Problem } from '../../shared/contracts/common.ts'
import { asDatabaseUnavailable } from '../db/database-errors.ts'
import type { Route } from '../../shared/route.ts'
import type { Logger } from '../operations/logging.ts'
import { http } from '../operations/node-http.ts'
import { asStorageUnavailable } from '../storage/storage-errors.ts'
import type { ClientOf } from './client-address.ts'
import { asksFor, errorPageFor, hasErrorPages } from './error-page.ts'
import { commonHeaders, sendBytes } from './replies.ts'
import type { RefusedPage } from './replies.ts'
import { noteRefusal, pathOf } from './request-log.ts'
import { addedHeaders, writeHead } from './response-head.ts'
import { splitTarget } from './router.ts'
import { statusOf } from './statuses.ts'
import { texts } from './http.texts.ts'

/** What an answer to an error needs to know about its listener. */
export interface ErrorContext {
  log: Logger
  clientOf: ClientOf
}

/** Turns anything thrown into a DomainError; an unexpected error becomes INTERNAL without its details. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  return (
    asDatabaseUnavailable(error) ??
    asStorageUnavailable(error) ??
    asBadRequest(error) ??
    new DomainError('INTERNAL', texts.failed, { cause: error })
  )
}

/** The router throws a URIError for a path that can't be decoded. */
function asBadRequest(error: unknown): DomainError | null {
  if (!(error instanceof URIError)) return null
  return new DomainError('BAD_REQUEST', texts.request.invalidUrl, { cause: error })
}

/** Rulings, "Upload 400, 403, 500": for uploads, every outage is reported as STORAGE_UNAVAILABLE. */
function asUploadError(error: DomainError): DomainError {
  if (error.code !== 'DATABASE_UNAVAILABLE') return error
  return new DomainError('STORAGE_UNAVAILABLE', error.message, {
    cause: error.cause,
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  })
}

export function errorBody(error: DomainError): ErrorResponse {
  return {
    error: error.message,
    code: error.code,
    ...(error.issues === undefined ? {} : { issues: error.issues }),
  }
}

/** Problem details (RFC 9457), with the fields of an ErrorResponse except its text. */
function problemBody(error: DomainError, status: number): Problem {
  const { error: detail, ...more } = errorBody(error)
  return { type: 'about:blank', title: http.STATUS_CODES[status] ?? '', status, detail, ...more }
}

const ociErrorBody = ({ code, message }: DomainError): OciErrors => ({
  errors: [{ code: ociCodeOf(code), message }],
})

const problemType = 'application/problem+json'

/**
 * Answers with an ErrorResponse (rulings, "Bodies"), with problem details if the client asks for them, or with
 * OCI errors, and logs server errors once.
 */
export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  thrown: unknown,
  context: ErrorContext,
  headers: Record<string, string> = {},
  kind?: Route['statuses'],
): void {
  const error = kind === 'upload' ? asUploadError(toDomainError(thrown)) : toDomainError(thrown)
  const status = statusOf(error.code, kind)
  note(req, res, error, status, context)
  if (res.headersSent) {
    res.destroy()
    return
  }
  const isOci = isOciPath(splitTarget(req.url ?? '').path)
  const page = isOci ? null : errorPageFor(req, error, status)
  const isProblem = !isOci && page === null && asksFor(problemType, req)
  const body = isOci ? ociErrorBody(error) : isProblem ? problemBody(error, status) : errorBody(error)
  const bytes = page?.bytes ?? Buffer.from(JSON.stringify(body))
  writeHead(res, status, {
    ...commonHeaders,
    'Content-Type': isProblem
      ? problemType
      : `${page === null ? 'application/json' : 'text/html'}; charset=utf-8`,
    'Content-Length': bytes.length,
    ...(isProblem || (!isOci && hasErrorPages(req)) ? { Vary: 'Accept' } : {}),
    ...page?.headers,
    ...retryHeader(error),
    ...(status === 401 ? { 'WWW-Authenticate': challenge(error) } : {}),
    ...headers,
  })
  res.end(bytes)
}

function note(
  req: IncomingMessage,
  res: ServerResponse,
  error: DomainError,
  status: number,
  { log, clientOf }: ErrorContext,
): void {
  const refusal = { code: error.code, client: clientOf(req) }
  noteRefusal(res, refusal)
  // What is refused for a known reason is logged once where the reason was found, not for every request.
  if (status < 500 || (status === 503 && error.cause === undefined)) return
  const requestId = addedHeaders(res, 'X-Request-Id')[0]
  const line = { requestId, method: req.method, path: pathOf(req), status, ...refusal }
  log.error({ ...line, err: error.cause ?? error }, error.message)
}

const retryHeader = ({ retryAfter }: DomainError): Record<string, string> =>
  retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }

/** Shows a browser its form again with the errors; other clients get an ErrorResponse. */
export function sendRefusedPage(
  req: IncomingMessage,
  res: ServerResponse,
  { error, bytes, headers }: RefusedPage,
  context: ErrorContext,
): void {
  const status = statusOf(error.code)
  if (errorPageFor(req, error, status) === null) {
    sendError(req, res, error, context)
    return
  }
  note(req, res, error, status, context)
  sendBytes(res, status, 'text/html; charset=utf-8', bytes, {
    ...headers,
    ...retryHeader(error),
    Vary: 'Accept',
  })
}

/** RFC 6750, section 3: names the error only if a token was sent. The desk has its own realm for session keys. */
function challenge(error: DomainError): string {
  if (error.code === 'SESSION_MISSING' || error.code === 'CODE_INVALID') return 'Bearer realm="desk"'
  return error.code === 'TOKEN_MISSING' ? 'Bearer' : 'Bearer error="invalid_token"'
}
