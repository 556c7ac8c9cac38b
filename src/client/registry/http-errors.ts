import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { texts } from './registry.texts.ts'
import { plainLine } from '../terminal/terminal.ts'

/** No bytes were sent or received for the length of the timeout. */
export class IdleTimeoutError extends Error {}

/** The request as a whole took too long, although bytes kept coming. */
export class TotalTimeoutError extends Error {}

/** The response is not what a Skilldock registry sends. */
export function mismatch(sentence: string, code: string): ClientError {
  return new ClientError(exitCodes.mismatch, { sentence, next: texts.response.notRegistry }, { code })
}

export function redirected(url: URL, location: string | undefined): ClientError {
  const target = location === undefined ? undefined : plainLine(location)
  return new ClientError(exitCodes.mismatch, texts.response.redirect(url.host, target), { code: 'REDIRECT' })
}

/** Why there is no response, or only part of one. */
export function unreachable(url: URL, error: unknown): ClientError {
  const { reason, next = texts.unreachable.next } = explain(error)
  return new ClientError(exitCodes.unreachable, texts.unreachable.failed(url.host, reason, next), {
    code: 'UNREACHABLE',
    cause: error,
  })
}

function explain(error: unknown): { reason: string; next?: string } {
  const { idle, tooSlow, notHttp, reasons, closed, untrusted, trustCertificate } = texts.unreachable
  if (error instanceof IdleTimeoutError) return idle
  if (error instanceof TotalTimeoutError) return tooSlow
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return { reason: notHttp }
  const reason = reasons[code] ?? (message === 'aborted' ? closed : plainLine(message))
  return reason === untrusted ? { reason, next: trustCertificate } : { reason }
}
