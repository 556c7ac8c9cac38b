import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { DomainError } from '../../src/shared/errors.ts'
import { EventStream, sendEventStream } from '../../src/server/http/event-stream.ts'
import type { EventSink } from '../../src/server/http/event-stream.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'

type Handle = (req: IncomingMessage, res: ServerResponse) => void

async function withServer(handle: Handle, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a client that does not read is disconnected, and its stream ends', async () => {
  const over = Promise.withResolvers<number>()
  let sent = 0
  const flood = (sink: EventSink): (() => void) => {
    const timer = setInterval(() => {
      sent += 100_000
      sink.send('change', 'x'.repeat(100_000))
    }, 1)
    return () => {
      clearInterval(timer)
      over.resolve(sent)
    }
  }
  const handle: Handle = (req, res) => sendEventStream(req, res, new EventStream(flood))
  await withServer(handle, async (url) => {
    const client = await connectRaw(url)
    client.socket.pause()
    await client.send(requestHead('GET', url))
    // The operating system buffers some data in addition.
    expect(await over.promise).toBeLessThan(50_000_000)
    client.destroy()
  })
})

test('an error at the start is thrown before anything is sent', async () => {
  const refuse = new EventStream(() => {
    throw new DomainError('TOO_MANY_REQUESTS', 'Full.')
  })
  let wasSent = true
  const handle: Handle = (req, res) => {
    try {
      sendEventStream(req, res, refuse)
    } catch {
      wasSent = res.headersSent
      res.writeHead(429).end()
    }
  }
  await withServer(handle, async (url) => {
    expect((await fetch(url)).status).toBe(429)
    expect(wasSent).toBe(false)
  })
})

test('a client that disconnected before the start is not subscribed', async () => {
  const done = Promise.withResolvers<number>()
  let started = 0
  const stream = new EventStream(() => {
    started += 1
    return () => {}
  })
  const arrived = Promise.withResolvers<void>()
  const handle: Handle = (req, res) => {
    arrived.resolve()
    res.once('close', () => {
      sendEventStream(req, res, stream)
      done.resolve(started)
    })
  }
  await withServer(handle, async (url) => {
    const client = await connectRaw(url)
    await client.send(requestHead('GET', url))
    await arrived.promise
    client.destroy()
    expect(await done.promise).toBe(0)
  })
})
