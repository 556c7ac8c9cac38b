import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DomainError } from '../../shared/errors.ts'

/** JSON text that is ready to send. */
export class JsonBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** A body with headers of its own. */
export class WithHeaders<T> {
  readonly body: T
  readonly headers: Record<string, string>

  constructor(body: T, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

/** A JSON body with the other status that its contract declares. */
export class WithOtherStatus<T> {
  readonly body: T

  constructor(body: T) {
    this.body = body
  }
}

/** The page of a form that was not accepted, with what was typed. */
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
  /** Bytes; null where they are only known when all are sent. */
  size: number | null
  headers: Record<string, string>
  /** For a file that a client may keep: it is told when what it has still counts. */
  etag?: string
  stream(): Readable
  /** Called instead of `stream` where no body is sent. */
  close(): Promise<void>
  /** Called when the last byte has been handed over. */
  onSent?(): void
}

export const commonHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }

export function sendBytes(
  res: ServerResponse,
  status: number,
  mediaType: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    ...commonHeaders,
    'Content-Type': mediaType,
    'Content-Length': bytes.length,
    ...headers,
  })
  res.end(bytes)
}

/** Sends bytes that the client may keep, or tells it that those which it has still count. */
export function sendDocument(
  req: IncomingMessage,
  res: ServerResponse,
  mediaType: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  // `no-cache`: kept, but asked for each time, so that what is taken back is gone with the next look at it.
  const kept = { 'Cache-Control': 'no-cache', ETag: etag, ...headers }
  if (holds(req.headers['if-none-match'], etag)) {
    res.writeHead(304, { ...commonHeaders, ...kept })
    res.end()
    return
  }
  sendBytes(res, 200, mediaType, bytes, kept)
}

/** RFC 9110, section 13.1.2: the weak comparison, for a proxy that compresses weakens the tag. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))
}

export function sendRedirect(res: ServerResponse, status: 303 | 308, location: string): void {
  res.writeHead(status, { ...commonHeaders, Location: location, 'Content-Length': 0 })
  res.end()
}

/** Sends a file; resolves when it is sent or the client has gone. HEAD gets the same headers and no body. */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: FileReply): Promise<void> {
  const { etag } = file
  const kept = { ...commonHeaders, ...file.headers, ...(etag === undefined ? {} : { ETag: etag }) }
  if (etag !== undefined && holds(req.headers['if-none-match'], etag)) {
    res.writeHead(304, kept)
    res.end()
    await file.close()
    return
  }
  res.writeHead(200, {
    ...kept,
    'Content-Type': file.mediaType,
    ...(file.size === null ? {} : { 'Content-Length': file.size }),
  })
  if (req.method === 'HEAD') {
    res.end()
    await file.close()
    return
  }
  // The pipeline ends later, when the file is closed as well; a server that stops does not wait for that.
  res.once('finish', () => file.onSent?.())
  const stream = file.stream()
  try {
    await pipeline(stream, res)
  } catch {
    // The client has gone or was too slow; the status was sent long ago and nobody is left to tell.
    // Where the connection was closed before the pipeline began, nobody else closes the file.
    stream.destroy()
    res.destroy()
  }
}
