import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import type { RawAnswer } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let port: string

beforeAll(async () => {
  app = await startTestRegistry()
  port = new URL(app.dashboard).port
})
afterAll(() => app.stop())

/** Sends text to the local listener and returns its response. */
async function exchange(text: string, url = app.dashboard): Promise<RawAnswer> {
  const client = await connectRaw(url)
  await client.send(text)
  const answer = await client.answer()
  client.destroy()
  return answer
}

/** Replaces PORT in a header with the port of the listener, and OTHER with another port. */
const filled = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('PORT', port).replace('OTHER', new URL(app.registry).port),
    ]),
  )

async function get(
  headers: Record<string, string>,
  path = '/api/health',
  method = 'GET',
): Promise<{ status: number; code: string | undefined }> {
  const { status, body } = await exchange(requestHead(method, `${app.dashboard}${path}`, filled(headers)))
  return { status, code: (JSON.parse(body) as { code?: string }).code }
}

const good = { status: 200, code: undefined }
const hostForbidden = { status: 403, code: 'HOST_FORBIDDEN' }
const originForbidden = { status: 403, code: 'ORIGIN_FORBIDDEN' }

describe('Host', () => {
  test.each([
    '127.0.0.1:PORT',
    'localhost:PORT',
    'LOCALHOST:PORT',
    '[::1]:PORT',
    '127.0.0.1',
    'localhost',
    '127.1.2.3',
  ])('%s is accepted as this computer', async (host) => {
    expect(await get({ Host: host })).toEqual(good)
  })

  test.each(
    [
      [
        'example.com',
        'example.com:PORT',
        'localhost.example.com',
        '127.0.0.1.example.com:PORT',
        'xlocalhost',
      ],
      [
        '0.0.0.0:PORT',
        '192.168.0.1:PORT',
        '128.0.0.1',
        '127.0.0',
        '[::]:PORT',
        '[::2]',
        '[::ffff:127.0.0.1]',
      ],
      [
        'localhost@example.com',
        'localhost:PORT:80',
        'localhost:',
        'localhost/',
        'localhost,example.com',
        '127.1',
        '',
      ],
    ].flat(),
  )('%j is refused with 403', async (host) => {
    expect(await get({ Host: host })).toEqual(hostForbidden)
  })

  test('is required', async () => {
    const old = await exchange('GET /api/health HTTP/1.0\r\n\r\n')
    expect({ status: old.status, code: (JSON.parse(old.body) as { code: string }).code }).toEqual(
      hostForbidden,
    )
    const { status, body, headers } = await exchange('GET /api/health HTTP/1.1\r\n\r\n')
    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: 'BAD_REQUEST' })
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test('cannot be replaced by the address in the request line', async () => {
    const line = `GET http://127.0.0.1:${port}/api/health HTTP/1.1\r\nHost: example.com\r\n\r\n`
    expect((await exchange(line)).status).toBe(400)
  })
})

describe('Origin', () => {
  test.each([
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['localhost:PORT', 'http://localhost:PORT'],
    ['LocalHost:PORT', 'http://localhost:PORT'],
    ['[::1]:PORT', 'http://[::1]:PORT'],
    // A tunnel may change the port, so the Origin is compared with Host.
    ['localhost:9', 'http://localhost:9'],
  ])('at %s the same origin %s is accepted', async (host, origin) => {
    expect(await get({ Host: host, Origin: origin })).toEqual(good)
  })

  test.each(
    [
      [
        'null',
        'https://example.com',
        'http://example.com:PORT',
        'http://127.0.0.1',
        'http://127.0.0.1:OTHER',
      ],
      [
        'https://127.0.0.1:PORT',
        'http://localhost:PORT',
        'http://127.0.0.1:PORT/',
        'http://127.0.0.1:PORT.evil.com',
      ],
      ['file://', '', 'http://user@127.0.0.1:PORT', 'chrome-extension://abc'],
    ].flat(),
  )('at 127.0.0.1 the origin %j is refused', async (origin) => {
    expect(await get({ Host: '127.0.0.1:PORT', Origin: origin })).toEqual(originForbidden)
    expect(await get({ Host: '127.0.0.1:PORT', Origin: origin }, '/openapi.json')).toEqual(originForbidden)
    expect(await get({ Host: '127.0.0.1:PORT', Origin: origin }, '/desk/api/any', 'POST')).toEqual(
      originForbidden,
    )
  })
})

describe('Sec-Fetch-Site', () => {
  const navigation = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  }

  test.each(['none', 'same-origin', 'same-site'])('%s is accepted', async (site) => {
    expect(await get({ 'Sec-Fetch-Site': site })).toEqual(good)
  })

  test('cross-site is refused, for a fetch and for a navigation', async () => {
    expect(await get({ 'Sec-Fetch-Site': 'cross-site' })).toEqual(originForbidden)
    expect(await get({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' })).toEqual(
      originForbidden,
    )
    expect(await get(navigation)).toEqual(originForbidden)
    expect(await get(navigation, '/openapi.json')).toEqual(originForbidden)
    expect(await get(navigation, '/')).toEqual(originForbidden)
  })

  test('a link in an email can open a page of the desk, but nothing else there', async () => {
    const page = await exchange(requestHead('GET', `${app.dashboard}/desk/sign-in?x=1`, navigation))
    expect(page.status).not.toBe(403)
    for (const path of ['/desk/api/session', '/desk/api/', '/deskx/', '/desk.html', '/api/desk/']) {
      expect(await get(navigation, path)).toEqual(originForbidden)
    }
    for (const change of [
      { 'Sec-Fetch-Mode': 'cors' },
      { 'Sec-Fetch-Dest': 'iframe' },
      { 'Sec-Fetch-Dest': 'empty' },
      { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
    ]) {
      expect(await get({ ...navigation, ...change }, '/desk/')).toEqual(originForbidden)
    }
    expect(await get(navigation, '/desk/', 'POST')).toEqual(originForbidden)
    expect(await get({ ...navigation, Origin: 'https://example.com' }, '/desk/')).toEqual(originForbidden)
    expect(await get({ ...navigation, Host: 'example.com' }, '/desk/')).toEqual(hostForbidden)
  })

  test('paths with .. below /desk/ do not bypass this', async () => {
    for (const path of [
      '/desk/../api/health',
      '/desk/%2e%2e/api/health',
      '/desk/..%2fapi/health',
      '/desk//../api/health',
    ]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n`
      expect((await exchange(head)).body).not.toContain('"service"')
    }
  })
})

describe('every response', () => {
  const host = { Host: '127.0.0.1:PORT' }
  test.each([
    ['200', 'GET', '/api/health', host],
    ['200 of the OpenAPI document', 'GET', '/openapi.json', host],
    ['302', 'GET', '/', host],
    ['308', 'GET', '/desk', host],
    ['400', 'GET', '/api/health', { 'Content-Length': 'abc' }],
    ['403 by Host', 'GET', '/api/health', { Host: 'example.com' }],
    ['403 by Origin', 'GET', '/api/health', { Origin: 'null' }],
    ['404', 'GET', '/nowhere', host],
    ['404 of HEAD', 'HEAD', '/nowhere', host],
    ['405', 'DELETE', '/api/health', host],
    ['405 of OPTIONS', 'OPTIONS', '/api/health', { Origin: 'http://127.0.0.1:PORT' }],
    ['431', 'GET', '/api/health', { 'X-Long': 'x'.repeat(70_000) }],
  ])('has nosniff and a same-origin resource policy: %s', async (status, method, path, headers) => {
    const client = await connectRaw(app.dashboard)
    await client.send(requestHead(method, `${app.dashboard}${path}`, filled(headers)))
    if (method === 'HEAD') {
      const head = await new Promise<string>((resolve) => {
        client.socket.once('data', (chunk) => resolve(chunk.toString()))
      })
      expect(head.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n')
      expect(head.toLowerCase()).toContain('\r\ncross-origin-resource-policy: same-origin\r\n')
    } else {
      const answer = await client.answer()
      expect(answer.status).toBe(Number(status.slice(0, 3)))
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    client.destroy()
  })
})

describe('the two listeners', () => {
  test('registry endpoints are not on the local listener', async () => {
    for (const path of ['skills', 'skills/any', 'skills/any/1.0.0/package', 'mine', 'review']) {
      const { status, body } = await call(`${app.dashboard}/api/marketplace/${path}`, {
        token: app.administrator,
      })
      expect({ status, body }).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    const options = { token: app.administrator, method: 'POST', body: {} }
    expect((await call(`${app.dashboard}/api/marketplace/publish`, options)).status).toBe(404)
    expect((await call(`${app.dashboard}/api/marketplace/review/1`, options)).status).toBe(404)
    expect((await call(`${app.dashboard}/api/skilldock/jwks.json`)).status).toBe(404)
  })

  test('dashboard and desk endpoints are not on the registry listener', async () => {
    for (const path of ['/api/agents', '/api/audit', '/desk/', '/desk/api/session']) {
      expect((await call(`${app.registry}${path}`, { token: app.administrator })).status).toBe(404)
    }
  })

  test('the registry listener accepts any public name, origin and site', async () => {
    const headers = {
      Host: 'registry.example.com',
      Origin: 'https://example.com',
      'Sec-Fetch-Site': 'cross-site',
    }
    const answer = await exchange(requestHead('GET', `${app.api}/skills`, headers), app.registry)
    expect(answer.status).toBe(200)
    const none = await exchange('GET /api/marketplace/skills HTTP/1.1\r\n\r\n', app.registry)
    expect(none.status).toBe(400)
    expect(JSON.parse(none.body)).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('an unknown Expect header is ignored', async () => {
    const answer = await exchange(requestHead('GET', `${app.api}/skills`, { Expect: 'more' }), app.registry)
    expect(answer.status).toBe(200)
  })

  test.runIf(process.platform === 'linux')(
    'the local listener is on 127.0.0.1 only, wherever the registry listens',
    async () => {
      const wide = await startTestRegistry({
        config: { host: '0.0.0.0', publicUrl: 'https://registry.example.com' },
      })
      try {
        expect(wide.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
        const other = (url: string): string => `http://127.0.0.2:${new URL(url).port}/api/health`
        expect((await fetch(other(wide.registry))).status).toBe(200)
        await expect(fetch(other(wide.dashboard))).rejects.toThrow('fetch failed')
      } finally {
        await wide.stop()
      }
    },
  )
})
