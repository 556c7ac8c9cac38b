import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { padModule } from '../support/fixtures/big-modules.ts'
import { openEvents, signIn } from '../support/desk/desk-client.ts'
import type { EventReader } from '../support/desk/desk-client.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { manifest, publish } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

// Large packages and hundreds of connections are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const longTimeout = { timeout: 30_000 }

let app: TestRegistry
const cleanUp: (() => void)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0)) clean()
  await app.stop()
})

/** A client with its own loopback address, which Linux lets it choose. */
const connectFrom = async (address: string): Promise<RawClient> => {
  const client = await connectRaw(app.registry, address)
  cleanUp.push(client.destroy)
  return client
}
const startMany = (count: number, begin: () => Promise<RawClient>): Promise<RawClient[]> =>
  Promise.all(Array.from({ length: count }, begin))

describe.runIf(process.platform === 'linux')('downloads', () => {
  const path = '/api/marketplace/skills/large/1.0.0/package'

  /** Requests the package and reads only what the socket buffers. */
  const downloadWithoutReading = async (address: string): Promise<RawClient> => {
    const client = await connectFrom(address)
    const answered = once(client.socket, 'data')
    await client.send(requestHead('GET', `${app.registry}${path}`))
    await answered
    client.socket.pause()
    return client
  }
  const statusFor = async (address: string): Promise<number> => {
    const client = await connectFrom(address)
    await client.send(requestHead('HEAD', `${app.registry}${path}`, { Connection: 'close' }))
    const [head] = (await once(client.socket, 'data')) as [Buffer]
    return Number(head.toString('latin1').split(' ')[1])
  }
  const publishLarge = async (): Promise<Uint8Array> => {
    const large = padModule(app.wasm, 16 * 1024 * 1024)
    await app.decide(await app.submit({ name: 'large' }, app.developer, large), 'approved')
    return large
  }

  test('of one client that does not read leave three quarters of the slots to others', async () => {
    app = await startTestRegistry()
    const large = await publishLarge()
    await startMany(64, () => downloadWithoutReading('127.0.0.2'))
    expect(await statusFor('127.0.0.2')).toBe(429)
    const response = await fetch(`${app.registry}${path}`)
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, large.length])
  })

  test('that are not read are aborted, and their slots are released', async () => {
    app = await startTestRegistry({ config: { downloadConcurrency: 2 }, paceWindowMs: 300 })
    await publishLarge()
    const clients = await startMany(2, () => downloadWithoutReading('127.0.0.2'))
    expect(await statusFor('127.0.0.3')).toBe(429)
    await expect.poll(() => statusFor('127.0.0.3'), longTimeout).toBe(200)
    // The server has closed the connections early.
    for (const { socket } of clients) {
      socket.resume()
      if (!socket.readableEnded) await once(socket, 'end')
      expect(socket.bytesRead).toBeLessThan(16 * 1024 * 1024)
    }
  })
})

describe('pipelined requests', () => {
  const description = Array.from({ length: 100 }, (_, index) => 10_000 + index * 7).join('')
  /** Different searches, so that every response is different. */
  const requests = (count: number): string =>
    Array.from({ length: count }, (_, at) =>
      requestHead('GET', `${app.api}/skills?q=${description.slice(at, at + 30)}`),
    ).join('')

  test('of a client that does not read responses are neither processed ahead nor buffered', async () => {
    app = await startTestRegistry({ paceWindowMs: 300, checkReplies: false })
    for (let number = 1; number <= 40; number += 1) {
      const readme = 'A line that takes room. '.repeat(800)
      await app.release({ name: `wide-${number}`, readme, description }, 'approved')
    }
    const page = await (await fetch(`${app.api}/skills?q=${description.slice(0, 30)}`)).arrayBuffer()
    expect(page.byteLength * 90).toBeGreaterThan(60_000_000)
    const client = await connectRaw(app.registry)
    cleanUp.push(client.destroy)
    client.socket.pause()
    const before = process.memoryUsage().arrayBuffers
    await client.send(requests(90))
    let peak = 0
    const isCutOff = (): boolean => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)
      return app.logs.some((line) => line.includes('cut off'))
    }
    await expect.poll(isCutOff, { ...longTimeout, interval: 1 }).toBe(true)
    expect(peak).toBeLessThan(20_000_000)
  })

  test('of a client that reads are all answered, in order', async () => {
    app = await startTestRegistry()
    const client = await connectRaw(app.registry)
    cleanUp.push(client.destroy)
    const names = Array.from({ length: 90 }, (_, index) => `absent-${index}`)
    await client.send(names.map((name) => requestHead('GET', `${app.api}/skills/${name}`)).join(''))
    for (const name of names) {
      expect((await client.answer()).body).toContain(`of ${name}.`)
    }
  })

  test('are limited to a hundred per connection', async () => {
    app = await startTestRegistry()
    const client = await connectRaw(app.registry)
    cleanUp.push(client.destroy)
    const ended = once(client.socket, 'end')
    let received = ''
    client.socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    await client.send(requests(200))
    await ended
    expect(received.split('HTTP/1.1 200').length - 1).toBeLessThan(100)
    expect(app.logs.filter((line) => line.includes('without waiting for answers'))).toHaveLength(1)
  })
})

describe('submissions', () => {
  const openBody = async (token: string, sent: number): Promise<RawClient> => {
    const client = await connectRaw(app.registry)
    cleanUp.push(client.destroy)
    const body = multipartBody([manifestPart(manifest()), wasmPart(new Uint8Array(1_000_000))])
    await client.send(
      requestHead('POST', `${app.api}/publish`, {
        Authorization: `Bearer ${token}`,
        'Content-Type': multipartType,
        'Content-Length': body.length,
      }),
    )
    await client.send(body.subarray(0, sent))
    return client
  }
  const received = async (): Promise<number> =>
    (await app.packageFiles()).filter((file) => file.endsWith('.part')).length

  test('of one person with slow bodies leave slots for others', async () => {
    app = await startTestRegistry({ config: { publishConcurrency: 8 } })
    const clients = await startMany(8, () => openBody(app.developer, 2000))
    const answers = clients.slice(0, 8).map((client) => client.answer().catch(() => null))
    await expect.poll(received, longTimeout).toBe(2)
    const bob = await app.token({ subject: 'bob' })
    expect((await publish(app.registry, bob, manifest({ name: 'of-bob' }), app.wasm)).status).toBe(201)
    const own = await publish(app.registry, app.developer, manifest({ name: 'of-alice' }), app.wasm)
    expect(own).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', error: expect.stringContaining('You already have 2 submissions') },
    })
    for (const clean of cleanUp.splice(0)) clean()
    const statuses = (await Promise.all(answers)).map((answer) => answer?.status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  })

  test('whose bodies arrive byte by byte are aborted, and their slots are released', async () => {
    app = await startTestRegistry({ config: { publishConcurrency: 1 }, paceWindowMs: 1000 })
    const client = await openBody(app.developer, 2000)
    const drip = setInterval(() => void client.send('x'), 20)
    cleanUp.push(() => clearInterval(drip))
    const { status, body } = await client.answer()
    expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([400, 'BODY_INCOMPLETE'])
    clearInterval(drip)
    await expect
      .poll(
        async () => (await publish(app.registry, app.developer, manifest(), app.wasm)).status,
        longTimeout,
      )
      .toBe(201)
  })
})

test('two hundred event streams of one developer do not keep out an administrator', async () => {
  app = await startTestRegistry()
  const alice = await signIn(app, 'alice')
  const open = async (): Promise<EventReader> => {
    const reader = await openEvents(alice)
    cleanUp.push(reader.close)
    return reader
  }
  const readers = await Promise.all(Array.from({ length: 200 }, open))
  const statuses = readers.map(({ response }) => response.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(50)
  expect(statuses.filter((status) => status === 429)).toHaveLength(150)
  const rita = await openEvents(await signIn(app, 'rita'))
  cleanUp.push(rita.close)
  expect(rita.response.status).toBe(200)
  await rita.next()
  // Closing a stream releases its slot.
  readers.find(({ response }) => response.status === 200)?.close()
  await expect.poll(async () => (await open()).response.status, longTimeout).toBe(200)
})
