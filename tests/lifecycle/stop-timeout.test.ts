import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

let app: TestServer | undefined
afterEach(() => app?.stop())

const limit = 400

/** A connection that sends bytes and never finishes; `closed` resolves when the server closes it. */
const hang = (url: string, bytes: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
    .on('error', () => {})
    .resume()
  let open = false
  socket.once('connect', () => {
    open = true
    socket.write(bytes)
  })
  return { isOpen: () => open, closed: new Promise((resolve) => socket.once('close', resolve)) }
}

test('a request that never ends is aborted at the time limit, not before', async () => {
  app = await startTestServer({ stopTimeoutMs: limit })
  const token = await app.token({ subject: 'alice' })
  const request =
    `POST /api/marketplace/publish HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n--x\r\n'
  const hanging = hang(app.registry, request)
  await until('it is connected', hanging.isOpen)
  // By the time this is answered, the earlier bytes have been read.
  expect((await fetch(`${app.registry}/api/health`)).ok).toBe(true)
  const start = performance.now()
  await Promise.all([app.server.stop(), app.server.stop(), hanging.closed])
  const took = performance.now() - start
  expect(took).toBeGreaterThanOrEqual(limit - 20)
  expect(took).toBeLessThan(limit + 1500)
  expect(app.server.registry.state).toBe('stopped')
  expect(app.server.local.state).toBe('stopped')
})

test('idle connections do not delay a stop', async () => {
  app = await startTestServer({ stopTimeoutMs: 20_000 })
  const idle = hang(app.registry, '')
  const used = hang(app.registry, 'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await until('both are connected', () => idle.isOpen() && used.isOpen())
  await fetch(`${app.registry}/api/health`)
  const start = performance.now()
  await app.server.stop()
  expect(performance.now() - start).toBeLessThan(2000)
  await Promise.all([idle.closed, used.closed])
})

test('after a stop the same process can serve the same folder again', async () => {
  app = await startTestServer()
  await app.server.stop()
  const again = await startTestServer({ folder: app.folder })
  expect((await fetch(`${again.registry}/api/health`)).status).toBe(200)
  await again.stop()
})
