import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '../../shared/errors.ts'
import { errorBody } from './error-handler.ts'
import { commonHeaders } from './replies.ts'
import { statusOf } from './statuses.ts'
import { texts } from './http.texts.ts'

/**
 * Answers invalid HTTP with an ErrorResponse, unless the client has disconnected or another answer is being sent.
 * `answer` is the latest one on this connection.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  answer: ServerResponse | null,
  headers: Record<string, string>,
): void {
  const isAnswering = answer !== null && answer.headersSent && !answer.writableFinished
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  const refusal = brokenRequest(error.code)
  const body = JSON.stringify(errorBody(refusal))
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : statusOf(refusal.code)
  const lines = Object.entries({ ...commonHeaders, ...headers }).map(
    ([header, value]) => `${header}: ${value}\r\n`,
  )
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function brokenRequest(code: string | undefined): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('HEADERS_TOO_LARGE', texts.request.headersTooLarge)
    case 'HPE_INVALID_EOF_STATE':
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('BODY_INCOMPLETE', texts.request.incomplete)
    default:
      return new DomainError('BAD_REQUEST', texts.request.invalid)
  }
}
