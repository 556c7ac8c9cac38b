import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import { findUnsafeJson } from '../../shared/strict-json.ts'
import { createPace, samplePace, minimumRate } from './pace.ts'
import { texts } from './http.texts.ts'

/** How much of a refused body is read and discarded, so that the client gets to read the answer. */
const unreadBytesLimit = 32 * 1024 * 1024
const unreadTimeLimitMs = 10_000

/** Maximum nesting depth of a JSON body; no contract comes near it. */
const maxJsonDepth = 32

const awaitingContinue = new WeakSet<IncomingMessage>()

/** For the server's `checkContinue`: the client waits for 100 before it sends the body, which may never be needed. */
export function holdContinue(req: IncomingMessage): void {
  awaitingContinue.add(req)
}

/** Must be called before the body is read. */
export function allowBody(req: IncomingMessage, res: ServerResponse): void {
  if (awaitingContinue.delete(req)) res.writeContinue()
}

export function hasBody(req: IncomingMessage): boolean {
  return req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined
}

export const incompleteBody = (cause?: unknown): DomainError =>
  new DomainError('BODY_INCOMPLETE', texts.body.incomplete, { cause })

export const slowBody = (): DomainError => new DomainError('BODY_INCOMPLETE', texts.body.slow(minimumRate))

/**
 * Throws BODY_INCOMPLETE if the client disconnected during authentication: listeners added afterwards would never be
 * called.
 */
export function assertStillSending(req: IncomingMessage): void {
  if (req.destroyed) throw incompleteBody()
}

/** Calls `onTooSlow` when the body stalls or is too slow (see pace.ts); returns a function that stops watching. */
export function watchBody(req: IncomingMessage, paceWindowMs: number, onTooSlow: () => void): () => void {
  const isTooSlow = createPace(paceWindowMs)
  const sample = (): void => {
    // While there are unread bytes, the client is not being awaited.
    if (isTooSlow(req.socket.bytesRead, req.readableLength === 0)) onTooSlow()
  }
  sample()
  return samplePace(paceWindowMs, sample)
}

/** Reads a JSON body of at most `maxBytes`. Throws BODY_TOO_LARGE, BODY_INCOMPLETE or INVALID_JSON. */
export async function readJson(
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes: number,
  paceWindowMs: number,
): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw new DomainError('INVALID_JSON', texts.body.notJson)
  }
  assertStillSending(req)
  return parseStrictJson(await collect(req, res, maxBytes, paceWindowMs))
}

function parseStrictJson(bytes: Buffer): unknown {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch (error) {
    throw new DomainError('INVALID_JSON', texts.body.invalidJson, { cause: error })
  }
  const unsafe = findUnsafeJson(text, maxJsonDepth)
  if (unsafe === null) return value
  const { key, message } = unsafe
  throw new DomainError('INVALID_JSON', texts.invalid('body', `${key ?? 'it'} ${message}`), {
    issues: [{ path: key ?? '', message }],
  })
}

function collect(
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes: number,
  paceWindowMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (error: Error | null): void => {
      stopWatching()
      req.off('data', onData)
      if (error === null) resolve(Buffer.concat(chunks))
      else reject(error)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) {
        settle(new DomainError('BODY_TOO_LARGE', texts.body.tooLarge(maxBytes)))
      } else chunks.push(chunk)
    }
    const stopWatching = watchBody(req, paceWindowMs, () => settle(slowBody()))
    req.on('data', onData)
    req.once('end', () => settle(null))
    req.once('error', (error) => settle(incompleteBody(error)))
    req.once('close', () => settle(incompleteBody()))
    allowBody(req, res)
  })
}

/**
 * After an early answer, Node reads and discards the rest of the body, so that the client gets to read the answer. This
 * disconnects a client that keeps sending for too long.
 */
export function limitUnreadBody(req: IncomingMessage): void {
  if (req.complete || req.socket.destroyed) return
  const start = req.socket.bytesRead
  const deadline = performance.now() + unreadTimeLimitMs
  const timer = setInterval(() => {
    const over = req.socket.bytesRead - start > unreadBytesLimit || performance.now() > deadline
    if (over) req.socket.destroy()
    if (over || req.complete || req.socket.destroyed) clearInterval(timer)
  }, 50)
  timer.unref()
}
