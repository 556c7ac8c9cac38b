import type { ClientRequest, IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientError } from '../client-error.ts'
import { texts } from './registry.texts.ts'
import { toResponseError } from './response-error.ts'
import { IdleTimeoutError, TotalTimeoutError, mismatch, redirected, unreachable } from './http-errors.ts'

/** A request body with a known length, because nothing is sent with chunked transfer encoding. */
export interface RequestBody {
  type: string
  length: number
  open(): Readable
  /** Whether to send `Expect: 100-continue`, so that the registry can reject the request before the upload. */
  expectContinue?: true
}

interface HttpRequest {
  method: string
  url: URL
  token?: string | null
  accept?: string
  /** The ETag of the bytes that the client has; if they are current, the response is 304. */
  ifNoneMatch?: string | undefined
  body?: RequestBody
}

export interface HttpOptions {
  signal: AbortSignal
  /** Called before waiting `ms` milliseconds for a busy registry. */
  onWait?(reason: string, ms: number): void
  /** Milliseconds without a byte in either direction after which the request fails. */
  idleTimeoutMs: number
  /** Milliseconds for the whole request with its response, so that a slow trickle of bytes cannot keep it open. */
  totalTimeoutMs: number
  /** What to do if the token is not accepted. */
  signIn: string
}

/** The default of SKILL_TIMEOUT in milliseconds, and how many times as long a whole request may take. */
export const defaultIdleTimeoutMs = 30_000
export const totalTimeoutFactor = 20

/** How long to honor Retry-After in total, over all attempts of one request. */
const maxWaitMs = 60_000
/** The pause for `Retry-After: 0`. */
const minPauseMs = 500
const maxAttempts = 4
/** Some proxies ignore `Expect: 100-continue`, so the body is sent after this time. */
const maxContinueWaitMs = 1000
const maxErrorBytes = 65_536
const expectationFailed = 417

/**
 * Sends a request and resolves to the 2xx response, or 304 to `ifNoneMatch`, whose body is still to be read with `readBody`. A GET is repeated
 * after 429 and 503 with Retry-After. Redirects are not followed. Throws ClientError for everything else, with the
 * registry's own message if it sent one.
 */
export async function send(request: HttpRequest, options: HttpOptions): Promise<IncomingMessage> {
  let waited = 0
  let expectContinue = request.body?.expectContinue === true
  for (let attempt = 1; ; attempt += 1) {
    const response = await sendOnce(request, expectContinue, options)
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return response
    if (status === 304 && request.ifNoneMatch !== undefined) return response
    if (status === expectationFailed && expectContinue) {
      // A proxy does not support the Expect header. None of the body has been sent yet.
      response.destroy()
      expectContinue = false
      continue
    }
    if (status >= 300 && status < 400) {
      response.destroy()
      throw redirected(request.url, response.headers.location)
    }
    const refused = await readResponseError(request.url, response, options)
    const pause = Math.max((refused.retryAfter ?? Infinity) * 1000, minPauseMs)
    const mayRepeat = request.method === 'GET' && (status === 429 || status === 503)
    if (!mayRepeat || attempt === maxAttempts || waited + pause > maxWaitMs) throw refused
    waited += pause
    options.onWait?.(refused.message, pause)
    await wait(pause, undefined, { signal: options.signal })
  }
}

async function sendOnce(
  request: HttpRequest,
  expectContinue: boolean,
  options: HttpOptions,
): Promise<IncomingMessage> {
  const { url, body } = request
  // Imported lazily, because a child process that runs a module needs neither.
  const { request: make } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const outgoing = make(url, {
    method: request.method,
    headers: {
      accept: request.accept ?? 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'skill',
      ...(request.token == null ? {} : { authorization: `Bearer ${request.token}` }),
      ...(request.ifNoneMatch === undefined ? {} : { 'if-none-match': request.ifNoneMatch }),
      ...(body === undefined ? {} : { 'content-type': body.type, 'content-length': body.length }),
      ...(expectContinue ? { expect: '100-continue' } : {}),
    },
    // A command makes only a few requests, and a kept-alive connection would keep the process running.
    agent: false,
    signal: options.signal,
    timeout: options.idleTimeoutMs,
  })
  const stopWatching = watch(outgoing, options.totalTimeoutMs)
  try {
    return await sendAndReceive(outgoing, body, expectContinue)
  } catch (error) {
    stopWatching()
    throw options.signal.aborted ? error : unreachable(url, error)
  }
}

/** Aborts a request that is silent or takes too long overall. Returns a function that stops watching. */
function watch(outgoing: ClientRequest, totalTimeoutMs: number): () => void {
  let end = (error: Error): void => void outgoing.destroy(error)
  const totalTimeout = setTimeout(() => end(new TotalTimeoutError()), totalTimeoutMs)
  outgoing.on('timeout', () => end(new IdleTimeoutError()))
  outgoing.once('response', (response: IncomingMessage) => {
    // Destroying the request would be reported as a closed connection.
    end = (error) => void response.destroy(error)
    response.once('close', () => clearTimeout(totalTimeout))
  })
  return () => clearTimeout(totalTimeout)
}

/** Sends the body and resolves to the response. A response may arrive early, such as an error; the rest is then not sent. */
async function sendAndReceive(
  outgoing: ClientRequest,
  body: RequestBody | undefined,
  expectContinue: boolean,
): Promise<IncomingMessage> {
  const response = once(outgoing, 'response') as Promise<[IncomingMessage]>
  // After `101 Switching Protocols` there is neither a response nor an error.
  const closed = new Promise<never>((_resolve, reject) => {
    outgoing.once('close', () => reject(new Error('aborted')))
  })
  const stopSending = body === undefined ? null : sendBody(outgoing, body, expectContinue)
  if (body === undefined) outgoing.end()
  try {
    const [message] = await Promise.race([response, closed])
    return message
  } finally {
    stopSending?.()
    // Once there is a response, failing to send the rest of the body is not an error.
    outgoing.on('error', () => {})
  }
}

/** Returns a function that stops sending. */
function sendBody(outgoing: ClientRequest, body: RequestBody, expectContinue: boolean): () => void {
  let source: Readable | undefined
  let isOver = false
  const start = (): void => {
    if (source !== undefined || isOver) return
    source = body.open()
    source.on('error', (error) => outgoing.destroy(error))
    source.pipe(outgoing)
  }
  let continueTimeout: NodeJS.Timeout | undefined
  if (expectContinue) {
    outgoing.flushHeaders()
    outgoing.once('continue', start)
    // Bytes written before the connection is established would count as sent.
    outgoing.once('socket', (socket) =>
      socket.once(outgoing.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        continueTimeout = setTimeout(start, maxContinueWaitMs)
      }),
    )
  } else start()
  return () => {
    isOver = true
    clearTimeout(continueTimeout)
    source?.destroy()
  }
}

/** Reads the whole body. Throws if it exceeds `maxBytes` or ends before its announced length. */
export async function readBody(
  url: URL,
  response: IncomingMessage,
  maxBytes: number,
  options: HttpOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  await forEachChunk(url, response, options, (chunk) => {
    length += chunk.length
    if (length > maxBytes) {
      throw mismatch(texts.response.tooLong(url.host, maxBytes), 'ANSWER_TOO_LONG')
    }
    chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

/** Calls `onChunk` for each chunk of the body and awaits it. Throws if the body ends early. */
export async function forEachChunk(
  url: URL,
  response: IncomingMessage,
  { signal }: HttpOptions,
  onChunk: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      let next: IteratorResult<Buffer>
      try {
        next = await chunks.next()
      } catch (error) {
        throw signal.aborted ? error : unreachable(url, error)
      }
      if (next.done === true) break
      await onChunk(next.value)
    }
  } finally {
    response.destroy()
  }
  if (!response.complete) throw unreachable(url, new Error('aborted'))
}

async function readResponseError(
  url: URL,
  response: IncomingMessage,
  options: HttpOptions,
): Promise<ClientError> {
  const body = await readBody(url, response, maxErrorBytes, options)
    .then((bytes) => JSON.parse(bytes.toString()) as unknown)
    .catch((error: unknown) => {
      if (options.signal.aborted) throw error
      return null
    })
  const { statusCode = 0, headers } = response
  return toResponseError({
    url,
    status: statusCode,
    retryAfter: headers['retry-after'],
    body,
    signIn: options.signIn,
  })
}
