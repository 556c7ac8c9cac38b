import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { DomainError } from '../../shared/errors.ts'
import { addHeader, writeHead } from './response-head.ts'

/** Serialized JSON. */
export class JsonBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** A body with additional headers. The status is for bytes of another protocol over HTTP that demands one. */
export class WithHeaders<T> {
  readonly body: T
  readonly headers: Record<string, string>
  readonly status: number | null

  constructor(body: T, headers: Record<string, string>, status: number | null = null) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** A JSON body with the `otherStatus` of its contract. */
export class WithOtherStatus<T> {
  readonly body: T

  constructor(body: T) {
    this.body = body
  }
}

/** The page of an invalid form, with the entered values. */
export class RefusedPage {
  readonly error: DomainError
  readonly bytes: Buffer
  readonly headers: Record<string, string>

  constructor(error: DomainError, bytes: Buffer, headers: Record<string, string>) {
    this.error = error
    this.bytes = bytes
    this.headers = headers
  }
}

/** A file that is streamed. */
export interface FileReply {
  mediaType: string
  /** Bytes; null if unknown in advance. */
  size: number | null
  headers: Record<string, string>
  /** The whole content, if it is in memory; sent instead of `chunks`. */
  bytes?: Buffer | undefined
  /** Set for a file that clients may cache; enables 304 answers. */
  etag?: string
  /** The content in order. Each chunk is sent before the next one is requested. */
  chunks(): AsyncIterable<Buffer | string>
  /** Called at the end, whether or not everything was sent. */
  close?(): Promise<void>
  /** Called when the last byte has been handed over. */
  onSent?(): void
}

/** CORS (Fetch standard, "HTTP responses"), without credentials. A plain GET needs no preflight. */
export function allowAnyOrigin(res: ServerResponse): void {
  addHeader(res, 'Access-Control-Allow-Origin', '*')
  addHeader(
    res,
    'Access-Control-Expose-Headers',
    'Docker-Content-Digest, ETag, Link, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, X-Request-Id',
  )
}

/** Answers a browser that asks whether a page of another origin may send a request (Fetch standard, "CORS-preflight fetch"). */
export function sendPreflight(res: ServerResponse, method: string): void {
  allowAnyOrigin(res)
  writeHead(res, 204, {
    'Access-Control-Allow-Methods': method,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': 7200,
  })
  res.end()
}

const yearSeconds = 31_536_000

/**
 * Browsers then reach a registry with an HTTPS address only over HTTPS (RFC 6797): its host and all ports of it, but not
 * the hosts below it, which may be others'.
 */
export const transportHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {}

export const commonHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }

/** Up to this size, Node writes head and body as one string without allocating memory for them. */
const maxTextBytes = 12 * 1024

export function sendBytes(
  res: ServerResponse,
  status: number,
  mediaType: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  writeHead(res, status, {
    ...commonHeaders,
    'Content-Type': mediaType,
    'Content-Length': bytes.length,
    ...headers,
  })
  // A buffer would be a second part of the write, which takes longer than to convert it.
  if (bytes.length > maxTextBytes) res.end(bytes)
  else res.end(bytes.toString('latin1'), 'latin1')
}

/** Sends bytes that the client may cache, or 304 if its copy is current. */
export function sendDocument(
  req: IncomingMessage,
  res: ServerResponse,
  mediaType: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  const etag = etagOf(bytes)
  // `no-cache`: cached, but revalidated each time, so that revoked content is gone with the next request.
  const cacheHeaders = { 'Cache-Control': 'no-cache', ETag: etag, ...headers }
  if (matches(req.headers['if-none-match'], etag)) {
    writeHead(res, 304, { ...commonHeaders, ...cacheHeaders })
    res.end()
    return
  }
  sendBytes(res, 200, mediaType, bytes, cacheHeaders)
}

/** Cached documents are the same buffer each time, so each is hashed once. */
const etags = new WeakMap<Buffer, string>()

function etagOf(bytes: Buffer): string {
  const known = etags.get(bytes)
  if (known !== undefined) return known
  const etag = `"${hash('sha256', bytes, 'base64url')}"`
  etags.set(bytes, etag)
  return etag
}

/** RFC 9110, section 13.1.2: weak comparison, since a compressing proxy weakens the tag. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))
}

export function sendRedirect(res: ServerResponse, status: 302 | 303 | 308, location: string): void {
  writeHead(res, status, { ...commonHeaders, Location: location, 'Content-Length': 0 })
  res.end()
}

/** Sends a file; resolves when it is sent or the client has disconnected. HEAD gets the same headers without a body. */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: FileReply): Promise<void> {
  try {
    await sendOpenFile(req, res, file)
  } catch {
    // The client has disconnected or was too slow, so nothing can be reported.
    res.destroy()
  } finally {
    await file.close?.()
  }
}

async function sendOpenFile(req: IncomingMessage, res: ServerResponse, file: FileReply): Promise<void> {
  const { etag } = file
  const headers = { ...commonHeaders, ...file.headers, ...(etag === undefined ? {} : { ETag: etag }) }
  if (etag !== undefined && matches(req.headers['if-none-match'], etag)) {
    writeHead(res, 304, headers)
    res.end()
    return
  }
  writeHead(res, 200, {
    ...headers,
    'Content-Type': file.mediaType,
    ...(file.size === null ? {} : { 'Content-Length': file.size }),
  })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  // Before the file is closed, which a stopping server does not wait for.
  res.once('finish', () => file.onSent?.())
  if (file.bytes === undefined) {
    for await (const chunk of file.chunks()) await write(res, chunk)
    res.end()
  } else res.end(file.bytes)
  await finished(res)
}

/** Resolves when the operating system has the bytes, so that their buffer can be used again. */
function write(res: ServerResponse, chunk: Buffer | string): Promise<void> {
  return new Promise((resolve, reject) => {
    res.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}
