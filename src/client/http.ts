import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { errorResponseSchema } from '../shared/contracts/common.ts'
import { ClientError } from './client-error.ts'
import { exitCodes } from './exit-codes.ts'
import { inTime } from './in-time.ts'
import { parseLoosely } from './parse-loosely.ts'
import { plain, plainLine } from './terminal.ts'

/** A body of a request: bytes in pieces, with their number, for nothing is sent in chunks. */
export interface RequestBody {
  type: string
  length: number
  open(): Readable
}

export interface HttpRequest {
  method: string
  url: URL
  token?: string | null
  accept?: string
  body?: RequestBody
}

export interface HttpOptions {
  signal: AbortSignal
  /** Told before it waits for a registry that is busy; milliseconds. */
  onWait?(reason: string, ms: number): void
  /** Milliseconds without a byte in either direction. */
  silenceMs?: number
}

/** How long a registry that says when it is free again is waited for, over all tries of one request. */
const mostWaitMs = 60_000
const mostTries = 4
const silenceMs = 30_000
const mostErrorBytes = 65_536

/**
 * One request, to its answer of status 2xx, whose body is still to be read with `readBody`. What can be asked
 * again without harm (GET) is, where the registry says when (429 and 503 with Retry-After). No redirect is
 * followed. Throws ClientError for everything else, with the registry's own sentence where it gave one.
 */
export async function send(request: HttpRequest, options: HttpOptions): Promise<IncomingMessage> {
  let waited = 0
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await sendOnce(request, options)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw redirected(request.url, answer.headers.location)
    }
    // oxlint-disable-next-line no-await-in-loop
    const refusal = await refusalOf(request.url, answer, options)
    const pause = (refusal.retryAfter ?? Infinity) * 1000
    const mayRepeat = request.method === 'GET' && (status === 429 || status === 503)
    if (!mayRepeat || attempt === mostTries || waited + pause > mostWaitMs) throw refusal
    waited += pause
    options.onWait?.(refusal.message, pause)
    // oxlint-disable-next-line no-await-in-loop
    await wait(pause, undefined, { signal: options.signal })
  }
}

async function sendOnce(request: HttpRequest, options: HttpOptions): Promise<IncomingMessage> {
  const { url, body } = request
  const make = url.protocol === 'https:' ? httpsRequest : httpRequest
  const outgoing = make(url, {
    method: request.method,
    headers: {
      accept: request.accept ?? 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'skill',
      ...(request.token == null ? {} : { authorization: `Bearer ${request.token}` }),
      ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': body.length }),
    },
    // Each call of the command is over after a few requests; a kept connection would hold it open.
    agent: false,
    signal: options.signal,
    timeout: options.silenceMs ?? silenceMs,
  })
  outgoing.on('timeout', () => outgoing.destroy(new SilenceError()))
  try {
    return await answerOf(outgoing, body)
  } catch (error) {
    throw options.signal.aborted ? error : unreachable(url, error)
  }
}

class SilenceError extends Error {}

/** An answer may come before all was sent: a refusal does, and the rest is then not sent. */
async function answerOf(outgoing: ClientRequest, body: RequestBody | undefined): Promise<IncomingMessage> {
  const answer = once(outgoing, 'response') as Promise<[IncomingMessage]>
  if (body === undefined) outgoing.end()
  else {
    const source = body.open()
    source.on('error', (error) => outgoing.destroy(error))
    source.pipe(outgoing)
    void answer.then(
      () => source.destroy(),
      () => source.destroy(),
    )
  }
  const [message] = await answer
  // Once there is an answer, a connection that cannot take the rest of the body any more is no error.
  outgoing.on('error', () => {})
  return message
}

/** The whole body, at most so many bytes. Throws where it is longer, or ends before its length. */
export async function readBody(
  url: URL,
  answer: IncomingMessage,
  mostBytes: number,
  options: HttpOptions,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  await eachPiece(url, answer, options, (piece) => {
    length += piece.length
    if (length > mostBytes) {
      throw mismatch(`${url.host} answered with more than ${mostBytes} bytes.`, 'ANSWER_TOO_LONG')
    }
    pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

/** Hands on piece after piece; waits for what `onPiece` gives. Throws where the body is cut. */
export async function eachPiece(
  url: URL,
  answer: IncomingMessage,
  { signal, silenceMs: silence = silenceMs }: HttpOptions,
  onPiece: (piece: Buffer) => void | Promise<void>,
): Promise<void> {
  answer.setTimeout(silence, () => answer.destroy(new SilenceError()))
  const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      let next: IteratorResult<Buffer>
      try {
        // oxlint-disable-next-line no-await-in-loop
        next = await pieces.next()
      } catch (error) {
        throw signal.aborted ? error : unreachable(url, error)
      }
      if (next.done === true) break
      // oxlint-disable-next-line no-await-in-loop
      await onPiece(next.value)
    }
  } finally {
    answer.destroy()
  }
  if (!answer.complete) throw unreachable(url, new Error('aborted'))
}

async function refusalOf(url: URL, answer: IncomingMessage, options: HttpOptions): Promise<ClientError> {
  const status = answer.statusCode ?? 0
  const retryAfter = readRetryAfter(answer.headers['retry-after'])
  const said = await readBody(url, answer, mostErrorBytes, options)
    .then((bytes) => parseLoosely(errorResponseSchema, JSON.parse(bytes.toString())))
    .catch((error: unknown) => {
      if (options.signal.aborted) throw error
      return null
    })
  const next = nextOf(status, retryAfter)
  return new ClientError(
    exitCodeOf(status),
    said === null
      ? `${url.host} answered with status ${status} and no reason that can be read.`
      : plainLine(said.error),
    {
      code: said?.code ?? `HTTP_${status}`,
      issues: (said?.issues ?? []).map(({ path, message }) => ({
        path: plainLine(path),
        message: plain(message),
      })),
      retryAfter,
      ...(next === null ? {} : { next }),
    },
  )
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return status >= 500 ? exitCodes.unreachable : exitCodes.refused
}

function nextOf(status: number, retryAfter: number | null): string | null {
  if (status === 401) return 'Sign in with: skill login'
  if (retryAfter !== null) return `Try again ${inTime(retryAfter)}.`
  return status >= 500 ? 'Try again in a moment. If it goes on, tell whoever runs the registry.' : null
}

/** Whole seconds or a date (RFC 9110, 10.2.3); null where it is neither. */
function readRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

function redirected(url: URL, location: string | undefined): ClientError {
  const place = location === undefined ? 'another place' : plainLine(location)
  return new ClientError(
    exitCodes.mismatch,
    `${url.host} sends to ${place}, and skill follows no redirect.`,
    {
      code: 'REDIRECT',
      next: 'If that is the right place, name it with --registry or in SKILL_REGISTRY.',
    },
  )
}

export function mismatch(sentence: string, code: string): ClientError {
  return new ClientError(exitCodes.mismatch, sentence, {
    code,
    next: 'Is that the address of a Skilldock registry? Nothing was kept of it.',
  })
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'nothing answers there',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is its own; name its file in NODE_EXTRA_CA_CERTS if you trust it',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is its own; name its file in NODE_EXTRA_CA_CERTS if you trust it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody that is known vouches for its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

function unreachable(url: URL, error: unknown): ClientError {
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
  const reason =
    error instanceof SilenceError
      ? 'it has been silent for too long'
      : (reasons[code ?? ''] ?? (message === 'aborted' ? 'the connection was cut' : plainLine(message)))
  return new ClientError(exitCodes.unreachable, `${url.host} did not answer: ${reason}.`, {
    code: 'UNREACHABLE',
    next: 'Look at the address and the network, then try again.',
    cause: error,
  })
}
