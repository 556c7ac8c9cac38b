import type { IncomingMessage, ServerResponse } from 'node:http'
import { commonHeaders } from './replies.ts'
import { noteStream } from './request-log.ts'
import { writeHead } from './response-head.ts'

/** Sends the events of one open stream. */
export interface EventSink {
  /** Sends one event with JSON data; does nothing once the stream has ended. */
  send(event: string, data: unknown): void
  end(): void
}

/**
 * A reply that stays open (server-sent events). `start` is called once and may still throw a DomainError; the
 * function it returns is called when either side has ended the stream.
 */
export class EventStream {
  readonly start: (sink: EventSink) => () => void

  constructor(start: (sink: EventSink) => () => void) {
    this.start = start
  }
}

/** Bytes buffered for a client that does not read; beyond that it is disconnected and must reconnect. */
const maxWaitingBytes = 65_536

/** Milliseconds after which a disconnected client reconnects. */
const retryMs = 1000

export function sendEventStream(req: IncomingMessage, res: ServerResponse, stream: EventStream): void {
  noteStream(res)
  const open = (): void => {
    if (res.headersSent) return
    writeHead(res, 200, { ...commonHeaders, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    res.write(`retry: ${retryMs}\n\n`)
  }
  if (req.method === 'HEAD') {
    writeHead(res, 200, { ...commonHeaders, 'Content-Type': 'text/event-stream' })
    res.end()
    return
  }
  // A client that has already disconnected would never trigger `close`.
  if (res.destroyed) return
  const stop = stream.start({
    send(event, data) {
      if (res.writableEnded || res.destroyed) return
      open()
      res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if (res.writableLength > maxWaitingBytes) res.destroy()
    },
    end: () => void res.end(),
  })
  res.once('close', stop)
  if (!res.writableEnded) open()
}
