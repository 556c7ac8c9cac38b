import type { ClientRequest, IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientError } from '../client-error.ts'
import { refusal } from './http-refusal.ts'
import { SilenceError, SlownessError, mismatch, redirected, unreachable } from './http-troubles.ts'

/** A body of a request: bytes in pieces, with their number, for nothing is sent in chunks. */
export interface RequestBody {
  type: string
  length: number
  open(): Readable
  /** Whether the registry is asked first if it would take it, so that a refusal costs no upload. */
  asksFirst?: true
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
  /** Milliseconds without a byte in either direction after which it is given up. */
  silenceMs: number
  /** Milliseconds that a request takes at most, with its answer: a byte now and then would hold it for ever. */
  wholeMs: number
  /** What to do where the token is not taken. */
  signIn: string
}

/** Milliseconds of silence without SKILL_TIMEOUT, and how many times that a whole request may take. */
export const defaultSilenceMs = 30_000
export const silencesOfOneRequest = 20

/** How long a registry that says when it is free again is waited for, over all tries of one request. */
const mostWaitMs = 60_000
/** Whoever says 0 s is busy all the same. */
const leastPauseMs = 500
const mostTries = 4
/** Many a server between does not answer the question whether it would take a body. */
const mostAskingMs = 1000
const mostErrorBytes = 65_536
const expectationFailed = 417

/**
 * One request, to its answer of status 2xx, whose body is still to be read with `readBody`. What can be asked
 * again without harm (GET) is, where the registry says when (429 and 503 with Retry-After). No redirect is
 * followed. Throws ClientError for everything else, with the registry's own sentence where it gave one.
 */
export async function send(request: HttpRequest, options: HttpOptions): Promise<IncomingMessage> {
  let waited = 0
  let asksFirst = request.body?.asksFirst === true
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await sendOnce(request, asksFirst, options)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    if (status === expectationFailed && asksFirst) {
      // Some server between does not know the question; nothing of the body was sent yet.
      answer.destroy()
      asksFirst = false
      continue
    }
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw redirected(request.url, answer.headers.location)
    }
    // oxlint-disable-next-line no-await-in-loop
    const refused = await refusalOf(request.url, answer, options)
    const pause = Math.max((refused.retryAfter ?? Infinity) * 1000, leastPauseMs)
    const mayRepeat = request.method === 'GET' && (status === 429 || status === 503)
    if (!mayRepeat || attempt === mostTries || waited + pause > mostWaitMs) throw refused
    waited += pause
    options.onWait?.(refused.message, pause)
    // oxlint-disable-next-line no-await-in-loop
    await wait(pause, undefined, { signal: options.signal })
  }
}

async function sendOnce(
  request: HttpRequest,
  asksFirst: boolean,
  options: HttpOptions,
): Promise<IncomingMessage> {
  const { url, body } = request
  // Loaded here, because a child that runs a module needs neither.
  const { request: make } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const outgoing = make(url, {
    method: request.method,
    headers: {
      accept: request.accept ?? 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'skill',
      ...(request.token == null ? {} : { authorization: `Bearer ${request.token}` }),
      ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': body.length }),
      ...(asksFirst ? { expect: '100-continue' } : {}),
    },
    // Each call of the command is over after a few requests; a kept connection would hold it open.
    agent: false,
    signal: options.signal,
    timeout: options.silenceMs,
  })
  const stopWatching = watch(outgoing, options.wholeMs)
  try {
    return await answerOf(outgoing, body, asksFirst)
  } catch (error) {
    stopWatching()
    throw options.signal.aborted ? error : unreachable(url, error)
  }
}

/** Ends what is silent, or takes too long in all; gives the function that ends the watch. */
function watch(outgoing: ClientRequest, wholeMs: number): () => void {
  let end = (error: Error): void => void outgoing.destroy(error)
  const whole = setTimeout(() => end(new SlownessError()), wholeMs)
  outgoing.on('timeout', () => end(new SilenceError()))
  outgoing.once('response', (answer: IncomingMessage) => {
    // Through the request it would be told as a connection that was cut.
    end = (error) => void answer.destroy(error)
    answer.once('close', () => clearTimeout(whole))
  })
  return () => clearTimeout(whole)
}

/** An answer may come before all was sent: a refusal does, and the rest is then not sent. */
async function answerOf(
  outgoing: ClientRequest,
  body: RequestBody | undefined,
  asksFirst: boolean,
): Promise<IncomingMessage> {
  const answer = once(outgoing, 'response') as Promise<[IncomingMessage]>
  const stopSending = body === undefined ? null : sendBody(outgoing, body, asksFirst)
  if (body === undefined) outgoing.end()
  try {
    const [message] = await answer
    return message
  } finally {
    stopSending?.()
    // Once there is an answer, a connection that cannot take the rest of the body any more is no error.
    outgoing.on('error', () => {})
  }
}

/** Gives the function that ends the sending. */
function sendBody(outgoing: ClientRequest, body: RequestBody, asksFirst: boolean): () => void {
  let source: Readable | undefined
  let isOver = false
  const start = (): void => {
    if (source !== undefined || isOver) return
    source = body.open()
    source.on('error', (error) => outgoing.destroy(error))
    source.pipe(outgoing)
  }
  let asked: NodeJS.Timeout | undefined
  if (asksFirst) {
    outgoing.flushHeaders()
    outgoing.once('continue', start)
    // What is written before there is a connection would seem to be sent.
    outgoing.once('socket', (socket) =>
      socket.once(outgoing.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        asked = setTimeout(start, mostAskingMs)
      }),
    )
  } else start()
  return () => {
    isOver = true
    clearTimeout(asked)
    source?.destroy()
  }
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
  { signal }: HttpOptions,
  onPiece: (piece: Buffer) => void | Promise<void>,
): Promise<void> {
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
  const body = await readBody(url, answer, mostErrorBytes, options)
    .then((bytes) => JSON.parse(bytes.toString()) as unknown)
    .catch((error: unknown) => {
      if (options.signal.aborted) throw error
      return null
    })
  const { statusCode = 0, headers } = answer
  return refusal({
    url,
    status: statusCode,
    retryAfter: headers['retry-after'],
    body,
    signIn: options.signIn,
  })
}
