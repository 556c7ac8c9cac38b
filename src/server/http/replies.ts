import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** JSON text that is ready to send. */
export class JsonBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** A JSON body with headers of its own, such as a cookie. */
export class WithHeaders<T> {
  readonly body: T
  readonly headers: Record<string, string>

  constructor(body: T, headers: Record<string, string>) {
    this.body = body
    this.headers = headers
  }
}

/** A file that is streamed. */
export interface FileReply {
  mediaType: string
  /** Bytes; null where they are only known when all are sent. */
  size: number | null
  headers: Record<string, string>
  stream(): Readable
  /** Called instead of `stream` where no body is sent. */
  close(): Promise<void>
  /** Called when the last byte has been handed over. */
  onSent?(): void
}

/** Milliseconds in which a client must take some of a download, so that nobody holds a slot by not reading. */
const stalledDownloadMs = 60_000

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

/** Sends a file; resolves when it is sent or the client has gone. HEAD gets the same headers and no body. */
export async function sendFile(res: ServerResponse, method: string, file: FileReply): Promise<void> {
  res.writeHead(200, {
    ...commonHeaders,
    'Content-Type': file.mediaType,
    ...(file.size === null ? {} : { 'Content-Length': file.size }),
    ...file.headers,
  })
  if (method === 'HEAD') {
    res.end()
    await file.close()
    return
  }
  res.setTimeout(stalledDownloadMs, () => res.destroy())
  // The pipeline ends later, when the file is closed as well; a server that stops does not wait for that.
  res.once('finish', () => file.onSent?.())
  const stream = file.stream()
  try {
    await pipeline(stream, res)
  } catch {
    // The client has gone or does not read; the status was sent long ago and nobody is left to tell.
    // Where the connection was closed before the pipeline began, nobody else closes the file.
    stream.destroy()
    res.destroy()
  }
}
