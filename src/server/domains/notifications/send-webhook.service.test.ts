import type { lookup } from 'node:dns'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendWebhook } from './send-webhook.service.ts'

let server: Server
let requests = 0
beforeAll(async () => {
  server = createServer((_req, res) => {
    requests += 1
    res.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

const send = (scheme: string, mayBePrivate: boolean, resolve: typeof lookup) =>
  sendWebhook(
    {
      url: `${scheme}://rebinding.example:${(server.address() as AddressInfo).port}/`,
      secrets: ['whsec_AAAA'],
      messageId: 'msg_1',
      body: '{}',
    },
    { mayBePrivate, resolve, now: Date.now(), limitMs: 5000, signal: new AbortController().signal },
  )

/** A name server that gives these addresses, one list for each question. */
function resolver(...answers: string[][]): { resolve: typeof lookup; asked(): number } {
  let asked = 0
  const resolve = (
    _name: string,
    _options: object,
    callback: (error: null, found: object[]) => void,
  ): void => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { resolve: resolve as typeof lookup, asked: () => asked }
}

describe('the address of a webhook', () => {
  test('is resolved once for each attempt, and the connection uses the checked answer', async () => {
    // After the first answer, only this computer would be found.
    const { resolve, asked } = resolver(['10.1.2.3'], ['127.0.0.1'])
    const result = await send('https', false, resolve)
    expect(result).toMatchObject({ status: 'failed', answerStatus: null })
    expect(result.problem).toMatch(/^rebinding\.example is 10\.1\.2\.3, a private address\./)
    expect(asked()).toBe(1)
  })

  test('is refused if any of its addresses is private', async () => {
    const { resolve } = resolver(['1.1.1.1', '127.0.0.1'])
    expect((await send('https', false, resolve)).problem).toContain('is 127.0.0.1, a private address.')
  })

  test('may be private, and without TLS, only if the setting allows it', async () => {
    const { resolve } = resolver(['127.0.0.1'])
    expect((await send('http', false, resolve)).problem).toContain('does not start with https://')
    expect(requests).toBe(0)
    expect(await send('http', true, resolve)).toMatchObject({ status: 'delivered', answerStatus: 200 })
    expect(requests).toBe(1)
  })
})
