import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameNames } from '../../src/shared/frames/frames.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

const page = '<!doctype html><meta name="csp-nonce" content="__NONCE__"><style nonce="__NONCE__"></style>desk'

let app: TestServer
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'skilldock-desk-'))
  const desk = join(root, 'renderer')
  await mkdir(join(desk, 'assets', 'deep'), { recursive: true })
  await mkdir(join(desk, 'folder.js'))
  const files = {
    'renderer/index.html': page,
    'renderer/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'renderer/scheme.js': 'scheme()',
    'renderer/assets/index-a1B2_c3.js': 'index()',
    'renderer/assets/index-a1b2.css': 'a{}',
    'renderer/assets/inter-a1b2.woff2': 'font',
    'renderer/assets/deep/chunk-1.js': 'chunk()',
    'renderer/assets/large-c3d4.js': 'large()',
    'renderer/assets/large-c3d4.js.br': brotliCompressSync('large()'),
    'renderer/assets/.hidden.js': 'a secret',
    'renderer/.env.js': 'a secret',
    'renderer/notes.md': 'a secret',
    'secret.js': 'a secret',
    'renderer-2.js': 'a secret',
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(root, name), text)
  }
  app = await startTestServer({ deskFolder: desk })
})
afterAll(async () => {
  await app.stop()
  await rm(root, { recursive: true })
})

const get = (path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(`${app.dashboard}${path}`, { redirect: 'manual', ...options })

describe('the page of the desk', () => {
  test.each([
    '/desk/',
    '/desk/review/17',
    '/desk/people?x=1',
    '/desk/index.html',
    '/desk/apis',
    '/desk/a.b/c',
  ])('is served at %s with its own nonce and content security policy', async (path) => {
    const response = await get(path)
    const text = await response.text()
    expect(response.status).toBe(200)
    const nonce = /csp-nonce" content="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(text).toBe(page.replaceAll('__NONCE__', nonce))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy':
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
        "img-src 'self' data: blob:; font-src 'self'; worker-src 'self'; manifest-src 'self'; " +
        `frame-src ${frameNames.map((name) => `${app.dashboard}/desk/sandbox/${name}`).join(' ')}; ` +
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    })
    expect(await (await get(path)).text()).not.toContain(nonce)
  })

  test('can be opened from a link in an email, but its API and / cannot', async () => {
    const headers = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    }
    for (const [path, status] of [
      ['/desk/', 200],
      ['/desk/api/state', 403],
      ['/', 403],
    ] as const) {
      const client = await connectRaw(app.dashboard)
      await client.send(requestHead('GET', `${app.dashboard}${path}`, headers))
      expect((await client.answer()).status, path).toBe(status)
      client.destroy()
    }
  })

  test('is the redirect target of / and /desk', async () => {
    for (const [path, status] of [
      ['/', 302],
      ['/desk', 308],
    ] as const) {
      const response = await get(path)
      expect([response.status, response.headers.get('location')]).toEqual([status, '/desk/'])
    }
  })

  test('answers HEAD without a body and allows no other method', async () => {
    const head = await get('/desk/', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const path of ['/', '/desk', '/desk/', '/desk/assets/index-a1b2.css']) {
      const response = await get(path, { method: 'POST' })
      expect(response.status, path).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
      expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    }
  })

  test('is never returned by the API', async () => {
    for (const path of ['/desk/api', '/desk/api/', '/desk/api/nothing']) {
      const response = await get(path)
      expect(response.status, path).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('a file of the desk', () => {
  test.each([
    ['br', 'br'],
    ['gzip, br;q=0.5', 'br'],
    ['gzip', null],
    ['br;q=0', null],
    ['identity', null],
  ])('that the build has compressed is sent so if the browser accepts it: %s', async (accepted, encoding) => {
    const response = await get('/desk/assets/large-c3d4.js', { headers: { 'Accept-Encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(await response.text()).toBe('large()')
  })

  test('has no address of its own for its compressed copy', async () => {
    expect((await get('/desk/assets/large-c3d4.js.br')).status).toBe(404)
  })

  test.each([
    ['/desk/assets/index-a1B2_c3.js', 'text/javascript; charset=utf-8', 'index()'],
    ['/desk/assets/index-a1b2.css', 'text/css; charset=utf-8', 'a{}'],
    ['/desk/assets/inter-a1b2.woff2', 'font/woff2', 'font'],
    ['/desk/assets/deep/chunk-1.js', 'text/javascript; charset=utf-8', 'chunk()'],
  ])('with a hash in its name is cached permanently: %s', async (path, type, text) => {
    const response = await get(path)
    expect(await response.text()).toBe(text)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })

  test('without one is not cached', async () => {
    const response = await get('/desk/scheme.js')
    expect([await response.text(), response.headers.get('cache-control')]).toEqual(['scheme()', 'no-store'])
    expect((await get('/desk/icon.svg')).headers.get('content-type')).toBe('image/svg+xml')
  })

  test('that no longer exists is 404, never the page', async () => {
    const response = await get('/desk/assets/index-old.js')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    '/desk/../secret.js',
    '/desk/..%2fsecret.js',
    '/desk/%2e%2e/secret.js',
    '/desk/..%5csecret.js',
    '/desk/assets/../../secret.js',
    '/desk/assets/..%2f..%2fsecret.js',
    '/desk/assets//../../secret.js',
    '/desk/../renderer-2.js',
    '/desk//etc/passwd',
    '/desk/%2fetc/passwd',
    '/desk/assets/%00/../../../secret.js',
    '/desk/assets/.hidden.js',
    '/desk/.env.js',
    '/desk/notes.md',
    '/desk/folder.js',
  ])('is never read from outside the folder or with a type the desk does not have: %s', async (path) => {
    const client = await connectRaw(app.dashboard)
    // Written by hand, because an HTTP client would normalize the path first.
    await client.send(`GET ${path} HTTP/1.1\r\nHost: ${new URL(app.dashboard).host}\r\n\r\n`)
    const { status, body } = await client.answer()
    expect([200, 400, 404]).toContain(status)
    expect(body).not.toContain('secret')
    expect(body).not.toContain('root:')
    client.destroy()
  })
})

test('a desk that has not been built says so', async () => {
  for (const options of [{}, { deskFolder: join(root, 'nowhere') }]) {
    const other = await startTestServer(options)
    try {
      for (const path of ['/desk/', '/desk/review']) {
        const response = await fetch(`${other.dashboard}${path}`)
        expect([response.status, response.headers.get('content-type')]).toEqual([
          503,
          'text/plain; charset=utf-8',
        ])
        expect(await response.text()).toMatch(/The desk is not built\. Build it with: npm run build/)
      }
      expect((await fetch(`${other.dashboard}/desk/assets/a.js`)).status).toBe(404)
    } finally {
      await other.stop()
    }
  }
})
