import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultHeadersTimeoutMs } from '../../src/server/http/open-port.ts'
import { measureRequests, openIdle } from '../support/server/idle-connections.ts'
import { connectRaw } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { testRawConnections } from '../support/server/raw-connections.ts'
import { startTestServer } from '../support/server/server.ts'

const { registry, clients } = testRawConnections()

/** Others wait less than 100 ms longer after `start`, which returns how to end what it started. */
async function expectLittleDelay(start: () => () => void): Promise<void> {
  const quiet = await measureRequests(registry(), 30)
  onTestFinished(start())
  const crowded = await measureRequests(registry(), 30)
  expect(crowded.median - quiet.median).toBeLessThan(100)
}

test('headers that arrive byte by byte are cut off in time, and others are answered until then', async () => {
  expect(defaultHeadersTimeoutMs).toBe(20_000)
  const headersTimeoutMs = 2000
  const impatient = await startTestServer({ headersTimeoutMs })
  onTestFinished(() => impatient.stop())
  const quiet = await measureRequests(impatient.registry, 30)
  const slow: RawClient[] = []
  for (let at = 0; at < 50; at += 1) {
    const client = await connectRaw(impatient.registry)
    slow.push(client)
    clients.push(client)
  }
  const start = performance.now()
  const trickle = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('a')
  }, 50)
  onTestFinished(() => clearInterval(trickle))
  const closed = slow.map(async (client) => {
    await client.send('GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const { status } = await client.answer()
    return { status, afterMs: performance.now() - start }
  })
  const crowded = await measureRequests(impatient.registry, 30)
  expect(crowded.median - quiet.median).toBeLessThan(100)
  for (const { status, afterMs } of await Promise.all(closed)) {
    expect(status).toBe(408)
    // The check runs four times within the limit. The rest is for a busy machine.
    expect(afterMs).toBeLessThan(headersTimeoutMs * 2)
  }
  await expect.poll(() => slow.every(({ socket }) => socket.readableEnded)).toBe(true)
})

/** Opens 20 connections again and again; each sends `first`, then `next` every 10 ms. Returns what ends it. */
function attack(url: string, first: string, next: string, localAddress = '127.0.0.1'): () => void {
  const { hostname, port } = new URL(url)
  const open = (): Socket => {
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('error', () => {}).resume()
    socket.write(first)
    return socket
  }
  const sockets = Array.from({ length: 20 }, open)
  const timer = setInterval(() => {
    for (const [at, socket] of sockets.entries()) {
      if (socket.writable) socket.write(next)
      else {
        socket.destroy()
        sockets[at] = open()
      }
    }
  }, 10)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

describe('others are delayed by less than 100 ms by', () => {
  const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
  const post = (headers: string): string =>
    `POST /api/skilldock/logins HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n`
  const many = get('/', 'a: b\r\n'.repeat(250))
  const long = get(`/${'a'.repeat(60_000)}`)
  const ambiguous = post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')
  test.each([
    ['bodies that arrive byte by byte', post('Content-Length: 100000\r\n'), ' '],
    ['endless chunked bodies', post('Transfer-Encoding: chunked\r\n'), `4000\r\n${' '.repeat(16_384)}\r\n`],
    ['too many headers', many, many],
    ['long addresses', long, long],
    ['pipelined requests', get('/api/health').repeat(90), get('/api/health')],
    ['ambiguous requests', ambiguous, ambiguous],
  ])('%s', async (_, first, next) => {
    await expectLittleDelay(() => attack(registry(), first, next))
  })
})

test.runIf(process.platform === 'linux')(
  'a flood of pipelined requests delays others by less than 100 ms',
  async () => {
    const flood = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000)
    await expectLittleDelay(() => attack(registry(), flood, flood, '127.0.0.4'))
  },
)

// `npm run idle` does the same with 10,000.
test.runIf(process.platform === 'linux')(
  'idle connections and slow headers from many addresses delay others by less than 100 ms',
  async () => {
    const quiet = await measureRequests(registry(), 50)
    clients.push(...(await openIdle(registry(), 1000)))
    const crowded = await measureRequests(registry(), 50)
    expect(crowded.median - quiet.median).toBeLessThan(100)
    expect(clients.every(({ socket }) => !socket.destroyed)).toBe(true)
  },
)
