import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as requestTls } from 'node:https'
import type { RequestOptions } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/settings/config.ts'
import { maxPackageBytes } from '../../src/shared/contracts/releases.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { ALLOWED_SKIPS, skipWithout } from '../support/programs.ts'
import { manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { startCaddy } from '../support/server/reverse-proxy.ts'
import type { ReverseProxy } from '../support/server/reverse-proxy.ts'

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
}

describe.skipIf(skipWithout('caddy'))('behind a reverse proxy that terminates TLS', () => {
  let site: string
  let app: TestRegistry
  let proxy: ReverseProxy
  let big: Uint8Array

  beforeAll(async () => {
    site = `https://127.0.0.1:${await findFreePort()}`
    const environment = { SKILLDOCK_PUBLIC_URL: site, SKILLDOCK_TRUST_PROXY: '127.0.0.1' }
    const { publicUrl, trustProxy } = readConfig({ SKILLDOCK_DATA: '/nowhere', ...environment })
    app = await startTestRegistry({ config: { publicUrl, trustProxy, dailySubmissions: 1 } })
    proxy = await startCaddy({ site, registry: app.registry })
    big = padModule(app.wasm, maxPackageBytes)
  })
  afterAll(async () => {
    await proxy?.stop()
    await app?.stop()
  })

  /** A request over TLS on its own connection, with a chunked body. */
  const send = async (
    path: string,
    options: RequestOptions & { token?: string; chunks?: Iterable<Uint8Array> } = {},
  ): Promise<Answer> => {
    const { token, chunks = [], headers, ...rest } = options
    const request = requestTls(site + path, {
      ca: proxy.certificate,
      agent: false,
      ...(headers === undefined ? {} : { headers }),
      ...rest,
    })
    if (token !== undefined) request.setHeader('authorization', `Bearer ${token}`)
    const answered = once(request, 'response')
    // An error may close the connection while this side is still sending; only the response matters.
    request.on('error', () => {})
    for (const chunk of chunks) request.write(chunk)
    request.end()
    const [response] = (await answered) as [IncomingMessage]
    const received: Buffer[] = []
    for await (const chunk of response) received.push(chunk as Buffer)
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(received) }
  }

  const json = (answer: Answer): unknown => JSON.parse(answer.bytes.toString())

  const submission = (): Buffer<ArrayBuffer> => multipartBody([manifestPart(manifest()), wasmPart(big)])

  function* inChunks(bytes: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }

  const publish = (token: string): Promise<Answer> =>
    send('/api/marketplace/publish', {
      method: 'POST',
      token,
      headers: { 'content-type': multipartType },
      chunks: inChunks(submission()),
    })

  test('a chunked upload of 16 MiB becomes a reviewed release and is downloaded byte for byte', async () => {
    const published = await publish(app.developer)
    expect(published.status, published.bytes.toString()).toBe(201)
    const { id } = json(published) as { id: number }
    const decided = await send(`/api/marketplace/review/${id}`, {
      method: 'POST',
      token: app.administrator,
      headers: { 'content-type': 'application/json' },
      chunks: [Buffer.from(JSON.stringify({ action: 'approved', reason: 'Everything looks fine.' }))],
    })
    expect(json(decided)).toEqual({ success: true })

    const path = '/api/marketplace/skills/upper-case/1.0.0/package'
    const download = await send(path)
    const digest = createHash('sha256').update(big).digest('hex')
    expect(createHash('sha256').update(download.bytes).digest('hex')).toBe(digest)
    expect(download.headers).toMatchObject({
      'content-type': 'application/wasm',
      'content-length': String(maxPackageBytes),
      'x-content-type-options': 'nosniff',
    })
    const head = await send(path, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    for (const name of ['content-type', 'content-length', 'content-disposition', 'cache-control']) {
      expect(head.headers[name]).toBe(download.headers[name])
    }
  })

  test('an error can be read while 16 MiB are still being sent', async () => {
    const refused = await publish('no-token')
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.anything() } })
    expect(json(refused)).toMatchObject({ code: 'TOKEN_INVALID' })
    const late = await publish(app.developer)
    expect(late).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    expect(json(late)).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })

  test.each([
    ['401', 'nothing'],
    ['429', 'developer'],
  ])('%s arrives before the end of the body, which the proxy streams', async (status, who) => {
    const request = requestTls(`${site}/api/marketplace/publish`, {
      ca: proxy.certificate,
      agent: false,
      method: 'POST',
      headers: {
        'content-type': multipartType,
        authorization: `Bearer ${who === 'developer' ? app.developer : 'x'}`,
      },
    })
    request.on('error', () => {})
    // The body never ends, so waiting for it would hang.
    request.write(submission().subarray(0, 100_000))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(String(response.statusCode)).toBe(status)
    expect(await text(response)).toContain('"code"')
    request.destroy()
  })

  test('HTTP/2 clients can read an error too', async () => {
    const session = connectHttp2(site, { ca: proxy.certificate })
    try {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/api/marketplace/publish',
        'content-type': multipartType,
        authorization: 'Bearer x',
      })
      stream.on('error', () => {})
      const answered = once(stream, 'response')
      // In pieces, because Node's client cannot receive the response while all of the body is buffered.
      Readable.from(inChunks(submission())).pipe(stream)
      const [headers] = (await answered) as [Record<string, unknown>]
      expect(headers[':status']).toBe(401)
      expect(await text(stream)).toContain('TOKEN_INVALID')
    } finally {
      session.destroy()
    }
  })

  test('the OpenAPI document names the public address', async () => {
    const answer = await send('/openapi.json')
    expect(json(answer)).toMatchObject({ servers: [{ url: site }] })
  })

  /** The client address in the log for a path that only this test requests. */
  const loggedClient = (path: string): unknown => {
    const line = app.logs.find((entry) => entry.includes(path))
    return (JSON.parse(line ?? '{}') as { client?: unknown }).client
  }

  test('a client cannot choose its logged address', async () => {
    await send('/forged-address', {
      headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    })
    expect(loggedClient('/forged-address')).toBe('127.0.0.1')
  })

  // Only on Linux is all of 127.0.0.0/8 local.
  const otherAddresses = process.platform === 'linux'
  test.skipIf(!otherAddresses)(
    `X-Forwarded-For is trusted from the proxy only${
      otherAddresses ? '' : ` (${ALLOWED_SKIPS.otherSystem})`
    }`,
    async () => {
      await send('/through-the-proxy', { localAddress: '127.0.0.2' })
      expect(loggedClient('/through-the-proxy')).toBe('127.0.0.2')
      const request = requestHttp(`${app.registry}/past-the-proxy`, {
        agent: false,
        localAddress: '127.0.0.3',
        headers: { 'x-forwarded-for': '203.0.113.9' },
      }).end()
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      expect(await text(response)).toContain('NOT_FOUND')
      expect(loggedClient('/past-the-proxy')).toBe('127.0.0.3')
    },
  )
})
