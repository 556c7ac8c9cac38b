import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sendBytes } from './replies.ts'

const text = 'é — 名 🎉'

test.each([0, 1, 500, 2000])('%i repetitions of a text arrive byte for byte', async (count) => {
  const body = text.repeat(count)
  const server = createServer((_req, res) =>
    sendBytes(res, 200, 'text/plain; charset=utf-8', Buffer.from(body)),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(await response.text()).toBe(body)
  server.closeAllConnections()
  server.close()
})
