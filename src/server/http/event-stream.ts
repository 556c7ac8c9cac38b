import type { IncomingMessage, ServerResponse } from 'node:http'
import { commonHeaders } from './replies.ts'

/** Where the events of one open stream go. */
export interface EventSink {
  /** Sends one event with JSON data; does nothing once the stream has ended. */
  send(event: string, data: unknown): void
  end(): void
}

/**
 * A reply that stays open (server-sent events). `start` is called once and may still throw a refusal; the
 * function that it gives is called when the stream is over, whoever has ended it.
 */
export class EventStream {
  readonly start: (sink: EventSink) => () => void

  constructor(start: (sink: EventSink) => () => void) {
    this.start = start
  }
}

/** Bytes that may wait for a client that does not read; then its stream is cut, and it has to come again. */
const maxWaitingBytes = 65_536

/** Milliseconds after which a client that has lost the stream asks again. */
const retryMs = 1000

export function sendEventStream(req: IncomingMessage, res: ServerResponse, stream: EventStream): void {
  const open = (): void => {
    if (res.headersSent) return
    res.writeHead(200, { ...commonHeaders, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    res.write(`retry: ${retryMs}\n\n`)
  }
  if (req.method === 'HEAD') {
    res.writeHead(200, { ...commonHeaders, 'Content-Type': 'text/event-stream' })
    res.end()
    return
  }
  // Somebody who has gone already would never be told to be over.
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
