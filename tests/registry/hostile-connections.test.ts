import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { testRawConnections } from '../support/server/raw-connections.ts'
import { startTestServer } from '../support/server/server.ts'

vi.setConfig({ testTimeout: 60_000 })

const { registry, clients } = testRawConnections()

/** Everything that the server sends until it closes the connection, or until it is quiet for 200 ms. */
const exchange = async (url: string, text: string): Promise<{ received: string; isClosed: boolean }> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  socket.on('error', () => {})
  const closed = new Promise<true>((resolve) => void socket.once('close', () => resolve(true)))
  socket.write(text, 'latin1')
  for (;;) {
    const before = received
    const isClosed = await Promise.race([
      closed,
      new Promise<false>((resolve) => void setTimeout(resolve, 200, false)),
    ])
    if (isClosed || (received !== '' && received === before)) {
      socket.destroy()
      return { received, isClosed }
    }
  }
}
const statusesOf = (received: string): string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)

describe('a request that a proxy could read differently', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n'
  const post = (lines: string, body = '', version = '1.1'): string =>
    `POST /api/skilldock/logins HTTP/${version}\r\nHost: HOST\r\nContent-Type: application/json\r\n${lines}\r\n${body}`
  const chunked = 'Transfer-Encoding: chunked\r\n'
  const empty = '0\r\n\r\n'
  const send = (url: string, text: string) =>
    exchange(url, (text + smuggled).replaceAll('HOST', new URL(url).host))

  test.each([
    ['Content-Length and Transfer-Encoding', post(`Content-Length: 5\r\n${chunked}`, empty)],
    ['Transfer-Encoding and Content-Length', post(`${chunked}Content-Length: 5\r\n`, empty)],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 40\r\n')],
    ['the same length twice', post('Content-Length: 0\r\nContent-Length: 0\r\n')],
    ['a list of lengths', post('Content-Length: 0, 40\r\n')],
    ['a negative length', post('Content-Length: -1\r\n')],
    ['a length with a sign', post('Content-Length: +0\r\n')],
    ['a hexadecimal length', post('Content-Length: 0x0\r\n')],
    ['a length beyond 64 bits', post('Content-Length: 18446744073709551616\r\n')],
    ['an empty length', post('Content-Length: \r\n')],
    ['an unknown coding', post('Transfer-Encoding: xchunked\r\n')],
    ['the coding identity', post('Transfer-Encoding: identity\r\n')],
    ['a quoted coding', post('Transfer-Encoding: "chunked"\r\n', empty)],
    ['another coding before chunked', post('Transfer-Encoding: gzip, chunked\r\n', empty)],
    ['another coding after chunked', post('Transfer-Encoding: chunked, identity\r\n', empty)],
    ['two codings', post(`${chunked}Transfer-Encoding: identity\r\n`, empty)],
    ['a vertical tab before the coding', post('Transfer-Encoding: \u000bchunked\r\n', empty)],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', empty)],
    ['a folded header', post('Transfer-Encoding:\r\n chunked\r\n', empty)],
    ['chunked in HTTP/1.0', post(`Connection: keep-alive\r\n${chunked}`, empty, '1.0')],
    ['a header after a bare LF', post('X: y\nContent-Length: 40\r\n')],
    ['a header after a bare CR', post('X: y\rContent-Length: 40\r\n')],
    ['only bare LF', 'GET /api/health HTTP/1.1\nHost: HOST\n\n'],
    ['a bare LF after a chunk size', post(chunked, `2\n{}\r\n${empty}`)],
    ['a chunk longer than its size', post(chunked, `1\r\n{}\r\n${empty}`)],
    ['a negative chunk size', post(chunked, '-1\r\n\r\n')],
    ['a chunk size with 0x', post(chunked, `0x2\r\n{}\r\n${empty}`)],
    ['a chunk size beyond 64 bits', post(chunked, `10000000000000002\r\n{}\r\n${empty}`)],
    ['a space after a chunk size', post(chunked, `2 \r\n{}\r\n${empty}`)],
    ['a bare LF in a chunk extension', post(chunked, `2;a\n{}\r\n${empty}`)],
    ['a long chunk extension', post(chunked, `2;${'a'.repeat(20_000)}\r\n{}\r\n${empty}`)],
    ['long trailers', post(chunked, `0\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`)],
    ['HTTP/0.9', 'GET /api/health\r\n'],
    ['HTTP/1.2', 'GET /api/health HTTP/1.2\r\nHost: HOST\r\n\r\n'],
    ['HTTP/2.0', 'GET /api/health HTTP/2.0\r\nHost: HOST\r\nConnection: keep-alive\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no Host', 'GET /api/health HTTP/1.1\r\n\r\n'],
    [
      'another host in the request line',
      'GET http://other.example/api/health HTTP/1.1\r\nHost: HOST\r\n\r\n',
    ],
    ['a space before the first header', 'GET /api/health HTTP/1.1\r\n X: y\r\nHost: HOST\r\n\r\n'],
    ['a NUL in a header', 'GET /api/health HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n'],
    ['a header without a name', 'GET /api/health HTTP/1.1\r\nHost: HOST\r\n: x\r\n\r\n'],
    ['more than 200 headers', `GET /api/health HTTP/1.1\r\nHost: HOST\r\n${'a: b\r\n'.repeat(200)}\r\n`],
  ])('because of %s is refused, and nothing after it is read as a request', async (_, text) => {
    const { received, isClosed } = await send(registry(), text)
    expect([statusesOf(received)[0], isClosed]).toEqual([expect.stringMatching(/^4(?:00|31)$/), true])
    expect(received).not.toContain('smuggled')
    expect(received.toLowerCase()).toContain('\r\ncache-control: no-store\r\n')
  })

  test('is not one that is valid: the next request is answered', async () => {
    for (const text of [
      'GET /api/health HTTP/1.1\r\nHost: HOST\r\n\r\n',
      'GET http://HOST/api/health HTTP/1.1\r\nHost: HOST\r\n\r\n',
      post('Transfer-Encoding: Chunked\r\n', `e\r\n{"client":"x"}\r\n${empty}`),
    ]) {
      const { received } = await send(registry(), text)
      expect(statusesOf(received)).toEqual([expect.stringMatching(/^20[01]$/), '404'])
      expect(received).toContain('smuggled')
    }
  })
})

test('a request with an address of 60,000 characters is answered briefly', async () => {
  const text = `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const { received } = await exchange(registry(), text)
  expect(statusesOf(received)).toEqual(['404'])
  expect(received.length).toBeLessThan(1000)
})

/** Far more than the 32 MiB after which a connection is closed, because much can be in buffers. */
const endlessBytes = 256 * 1024 * 1024

test('an endless chunked body is cut off, whether or not the endpoint reads it', async () => {
  for (const path of ['/api/skilldock/logins', '/api/health']) {
    const client = await connectRaw(registry())
    clients.push(client)
    const closed = new Promise((resolve) => void client.socket.once('close', resolve))
    await client.send(
      requestHead('POST', `${registry()}${path}`, {
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      }),
    )
    const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`)
    let sent = 0
    while (!client.socket.destroyed && client.socket.writable && sent < endlessBytes) {
      await client.send(chunk)
      // The server runs in this process, and the client must notice that it was cut off.
      await nextTurn()
      sent += chunk.length
    }
    client.end()
    await closed
    expect(sent).toBeLessThan(endlessBytes)
  }
})

test('a stop does not wait for a connection that has sent no request', async () => {
  const other = await startTestServer({ stopTimeoutMs: 60_000 })
  clients.push(await connectRaw(other.registry))
  await other.stop()
  // The limit for headers would close it after 20 s.
}, 15_000)

describe.runIf(process.platform === 'linux')('idle connections', () => {
  test('of one client are limited to 1,000; it and others are still answered', async () => {
    for (let at = 0; at < 1020; at += 1) {
      clients.push(await connectRaw(registry(), '127.0.0.2'))
    }
    await expect.poll(() => clients.filter(({ socket }) => socket.readableEnded).length).toBe(20)
    expect(clients.slice(0, 20).every(({ socket }) => socket.readableEnded)).toBe(true)
    for (const address of ['127.0.0.2', '127.0.0.3']) {
      const client = await connectRaw(registry(), address)
      clients.push(client)
      await client.send(requestHead('GET', `${registry()}/api/health`))
      expect((await client.answer()).status).toBe(200)
    }
  })
})
