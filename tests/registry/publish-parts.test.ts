import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import type { Part } from '../support/server/multipart.ts'
import { call, manifest } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'
import { WASM_HEADER } from '../support/fixtures/wasm-bytes.ts'

const maxBytes = 16_777_216
const megabyte = 1024 * 1024

let app: TestRegistry
/** A server that measures the rate of a body after a short time. */
let impatient: TestRegistry
/** A server that waits so long that a busy machine does not look like a slow client. */
let patient: TestRegistry
/** A server where the developer has used up the quota. */
let spent: TestRegistry
let number = 0

beforeAll(async () => {
  ;[app, impatient, patient, spent] = await Promise.all([
    startTestRegistry({ config: { publishConcurrency: 8 } }),
    startTestRegistry({ paceWindowMs: 400 }),
    startTestRegistry({ paceWindowMs: 1200 }),
    startTestRegistry({ config: { dailySubmissions: 1 } }),
  ])
  await spent.submit()
})
afterAll(() => Promise.all([app, impatient, patient, spent].map((server) => server.stop())))

/** A manifest that has not been submitted before. */
const fresh = (): ReturnType<typeof manifest> => {
  number += 1
  return manifest({ name: `skill-${number}` })
}
const goodParts = (): [text: Part, wasm: Part] => [manifestPart(fresh()), wasmPart(app.wasm)]

interface Answer {
  status: number
  code: string | undefined
  error: string | undefined
  paths: string[]
}

const asAnswer = (status: number, text: string): Answer => {
  const body = JSON.parse(text) as { code?: string; error?: string; issues?: { path: string }[] }
  const paths = (body.issues ?? []).map(({ path }) => path)
  return { status, code: body.code, error: body.error, paths }
}

async function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${app.api}/publish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.developer}`, 'content-type': multipartType, ...headers },
    body,
  })
  return asAnswer(response.status, await response.text())
}
const postParts = (parts: Part[]): Promise<Answer> => post(multipartBody(parts))

/** Runs `work` and expects that it leaves no file and no release behind, and that the server still responds. */
async function leavesNothing<T>(work: () => Promise<T>, on = app): Promise<T> {
  const left = async (): Promise<{ files: string[]; newest: number | undefined }> => {
    const mine = await call<List>(`${on.api}/mine`, { token: on.developer })
    expect(mine.status).toBe(200)
    return { files: await on.packageFiles(), newest: mine.body.items[0]?.id }
  }
  const before = await left()
  expect(before.files.filter((file) => file.endsWith('.part'))).toEqual([])
  const result = await work()
  await vi.waitFor(async () => expect(await left()).toEqual(before), { timeout: 30_000, interval: 10 })
  return result
}

const refused = (code: string, ...paths: string[]): Partial<Answer> => ({ status: 400, code, paths })

describe('the parts of a submission', () => {
  test('can be in either order', async () => {
    expect((await postParts(goodParts())).status).toBe(201)
    expect((await postParts(goodParts().toReversed())).status).toBe(201)
  })

  test('can have any file name and media type for wasm', async () => {
    for (const change of [{ fileName: 'x' }, { fileName: '../../../evil' }, { type: 'text/plain' }]) {
      const answer = await postParts([manifestPart(fresh()), { ...wasmPart(app.wasm), ...change }])
      expect(answer.status).toBe(201)
    }
  })

  const cases: [string, (good: [text: Part, wasm: Part]) => Part[], Partial<Answer>][] = [
    ['no part at all', () => [], refused('INVALID_MULTIPART', 'manifest')],
    ['no manifest', ([, wasm]) => [wasm], refused('INVALID_MULTIPART', 'manifest')],
    ['no wasm', ([text]) => [text], refused('INVALID_MULTIPART', 'wasm')],
    ['two manifests', ([a, b]) => [a, b, a], refused('INVALID_MULTIPART', 'manifest')],
    ['three manifests', ([a, b]) => [a, a, a, b], refused('INVALID_MULTIPART')],
    ['two files', ([a, b]) => [a, b, b], refused('INVALID_MULTIPART')],
    ['two files first', ([a, b]) => [b, b, a], refused('INVALID_MULTIPART')],
    [
      'an unknown text part',
      (good) => [...good, { name: 'notes', data: 'x' }],
      refused('INVALID_MULTIPART', 'notes'),
    ],
    [
      'an unknown text part first',
      (good) => [{ name: 'notes', data: 'x' }, ...good],
      refused('INVALID_MULTIPART', 'notes'),
    ],
    [
      'an unknown file',
      (good) => [{ name: 'readme', data: 'x', fileName: 'readme.md' }, ...good],
      refused('INVALID_MULTIPART', 'readme'),
    ],
    [
      'a long unknown text part',
      (good) => [...good, { name: 'notes', data: 'x'.repeat(30_000) }],
      refused('INVALID_MULTIPART', 'notes'),
    ],
    ['many parts', (good) => [...good, ...good, ...good, ...good], refused('INVALID_MULTIPART')],
    [
      'the manifest as a file',
      ([text, wasm]) => [{ ...text, fileName: 'manifest.json' }, wasm],
      refused('INVALID_MULTIPART', 'manifest'),
    ],
    [
      'the wasm as text',
      ([text]) => [text, { name: 'wasm', data: app.wasm }],
      refused('INVALID_MULTIPART', 'wasm'),
    ],
    [
      'a large wasm as text',
      ([text]) => [text, { name: 'wasm', data: 'x'.repeat(100_000) }],
      refused('INVALID_MULTIPART', 'wasm'),
    ],
    ['a part called __proto__', (good) => [...good, { name: '__proto__', data: 'x' }], { status: 400 }],
    [
      'a part called manifest[name]',
      (good) => [...good, { name: 'manifest[name]', data: 'x' }],
      { status: 400 },
    ],
    ['a part called wasm[]', (good) => [...good, { name: 'wasm[]', data: 'x' }], { status: 400 }],
    [
      'a part with a very long name',
      (good) => [...good, { name: 'n'.repeat(500), data: 'x' }],
      refused('INVALID_MULTIPART'),
    ],
    [
      'a manifest over its limit',
      ([, wasm]) => [manifestPart('x'.repeat(25_601)), wasm],
      refused('MANIFEST_TOO_LARGE', 'manifest'),
    ],
    [
      'a manifest of a megabyte after the wasm',
      ([, wasm]) => [wasm, manifestPart('x'.repeat(megabyte))],
      refused('MANIFEST_TOO_LARGE', 'manifest'),
    ],
    ['an empty wasm', ([text]) => [text, wasmPart(new Uint8Array())], refused('INVALID_PACKAGE', 'wasm')],
    [
      'a wasm of seven bytes',
      ([text]) => [text, wasmPart(Uint8Array.from(WASM_HEADER.slice(0, 7)))],
      refused('INVALID_PACKAGE', 'wasm'),
    ],
    [
      'a wasm part that is not a module',
      ([text]) => [text, wasmPart(Buffer.from('#!/bin/sh\nexit 0\n'))],
      refused('INVALID_PACKAGE', 'wasm'),
    ],
  ]
  test.each(cases)('%s is 400 and leaves nothing behind', async (_case, change, answer) => {
    expect(await leavesNothing(() => postParts(change(goodParts())))).toMatchObject(answer)
  })

  test('are named in error messages', async () => {
    const text = await postParts([manifestPart(fresh()), { name: 'wasm', data: 'x'.repeat(100_000) }])
    expect(text.error).toContain('wasm was sent as text')
    const twice = await postParts([...goodParts(), manifestPart(fresh())])
    expect(twice.error).toContain('manifest was sent twice')
  })
})

describe('the body of a submission', () => {
  test.each([
    ['application/json', '{}'],
    ['application/x-www-form-urlencoded', 'manifest=1&wasm=2'],
    ['application/wasm', '\0asm'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=', 'x'],
    ['multipart/mixed; boundary=one-boundary-of-the-tests', 'x'],
    ['text/plain; x="multipart/form-data; boundary=a"', 'x'],
    ['', 'x'],
  ])('with the type %j is 400 and leaves nothing behind', async (type, body) => {
    expect(await leavesNothing(() => post(body, { 'content-type': type }))).toMatchObject(
      refused('INVALID_MULTIPART'),
    )
  })

  test('that is missing is 400', async () => {
    const { status } = await leavesNothing(() => post(''))
    expect(status).toBe(400)
    const bare = await call(`${app.api}/publish`, { method: 'POST', token: app.developer })
    expect(bare).toMatchObject({ status: 400, body: { code: 'INVALID_MULTIPART' } })
  })

  test.each([
    ['without its last boundary', (body: Buffer) => body.subarray(0, -10)],
    ['cut in the middle of the wasm', (body: Buffer) => body.subarray(0, body.indexOf('\0asm') + 5)],
    ['cut in the middle of the manifest', (body: Buffer) => body.subarray(0, body.indexOf('readme'))],
    ['cut in a part header', (body: Buffer) => body.subarray(0, body.indexOf('name="wasm"') + 3)],
    [
      'with an invalid part header',
      (body: Buffer) => Buffer.from(body.toString('latin1').replace(': form', ' form')),
    ],
    ['of bytes without any boundary', () => Buffer.alloc(1000, 'x')],
  ])('%s is 400 and leaves nothing behind', async (_case, change) => {
    const { status, code } = await leavesNothing(() =>
      post(new Uint8Array(change(multipartBody(goodParts())))),
    )
    expect(status).toBe(400)
    expect(['BODY_INCOMPLETE', 'INVALID_MULTIPART']).toContain(code)
  })

  test('a package of 16,777,216 bytes is accepted', async () => {
    const text = fresh()
    const wasm = padModule(app.wasm, maxBytes)
    expect((await postParts([manifestPart(text), wasmPart(wasm)])).status).toBe(201)
    const { body } = await call<List>(`${app.api}/mine`, { token: app.developer })
    expect(body.items[0]).toMatchObject({
      name: text.name,
      size: maxBytes,
    } satisfies Partial<RegistryVersion>)
  })

  test.each(['before', 'after'])(
    'a package of 16,777,217 bytes %s the manifest is refused',
    async (place) => {
      const parts = [manifestPart(fresh()), wasmPart(padModule(app.wasm, maxBytes + 1))]
      const answer = await leavesNothing(() => postParts(place === 'after' ? parts : parts.toReversed()))
      expect(answer).toMatchObject(refused('PACKAGE_TOO_LARGE', 'wasm'))
    },
  )

  test('a package of 20 MiB is refused whether its length is declared or not', async () => {
    const parts = [manifestPart(fresh()), wasmPart(new Uint8Array(20 * megabyte))]
    const body = multipartBody(parts)
    expect(await leavesNothing(() => post(body))).toMatchObject(refused('PACKAGE_TOO_LARGE', 'wasm'))
    expect(await leavesNothing(() => sendChunked([body]))).toMatchObject(refused('PACKAGE_TOO_LARGE', 'wasm'))
  })

  test('data before the first boundary is limited', async () => {
    const body = Buffer.concat([Buffer.alloc(18 * megabyte, 'x'), multipartBody(goodParts())])
    expect((await leavesNothing(() => sendChunked([body]))).status).toBe(400)
  })

  test('chunks without Content-Length are accepted, even byte by byte', async () => {
    const body = multipartBody(goodParts())
    expect((await sendChunked([body])).status).toBe(201)
    const pieces = Array.from(multipartBody(goodParts()), (byte) => Uint8Array.of(byte))
    expect((await sendChunked(pieces)).status).toBe(201)
  })
})

/** A submission in chunked encoding over a raw connection. */
async function sendChunked(pieces: readonly Uint8Array[]): Promise<Answer> {
  const client = await openSubmission(app, { 'Transfer-Encoding': 'chunked' })
  for (const piece of pieces) {
    const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    void client.send(chunk)
  }
  void client.send('0\r\n\r\n')
  return readAnswer(client)
}

async function readAnswer(client: RawClient): Promise<Answer> {
  const { status, body } = await client.answer()
  client.destroy()
  return asAnswer(status, body)
}

/** A connection on which the headers of a submission have been sent. */
async function openSubmission(
  on: TestRegistry,
  headers: Record<string, string | number>,
  token = on.developer,
): Promise<RawClient> {
  const client = await connectRaw(on.registry)
  await client.send(
    requestHead('POST', `${on.api}/publish`, {
      Authorization: `Bearer ${token}`,
      'Content-Type': multipartType,
      ...headers,
    }),
  )
  return client
}

/** Sends submissions up to the middle of the wasm part, and waits until the server has begun to store them. */
async function sendHalves(on: TestRegistry, count: number): Promise<RawClient[]> {
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const body = multipartBody([manifestPart(fresh()), wasmPart(new Uint8Array(2 * megabyte))])
      const client = await openSubmission(on, { 'Content-Length': body.length })
      void client.send(body.subarray(0, megabyte))
      return client
    }),
  )
  await vi.waitFor(
    async () => {
      const files = await on.packageFiles()
      expect(files.filter((file) => file.endsWith('.part'))).toHaveLength(count)
    },
    { timeout: 30_000, interval: 2 },
  )
  return clients
}

async function sendHalf(on: TestRegistry): Promise<RawClient> {
  const [client] = await sendHalves(on, 1)
  if (client === undefined) throw new Error('No submission was started')
  return client
}

describe('a body that stops in the middle', () => {
  test('half-closed by the client is 400 and leaves nothing behind', async () => {
    const answer = await leavesNothing(async () => {
      const client = await sendHalf(app)
      client.end()
      return readAnswer(client)
    })
    expect(answer).toMatchObject(refused('BODY_INCOMPLETE'))
  })

  test('half-closed on a reused connection is 400 too', async () => {
    const answer = await leavesNothing(async () => {
      const client = await connectRaw(app.registry)
      await client.send(requestHead('GET', `${app.registry}/api/health`))
      expect((await client.answer()).status).toBe(200)
      const body = multipartBody(goodParts())
      await client.send(
        requestHead('POST', `${app.api}/publish`, {
          Authorization: `Bearer ${app.developer}`,
          'Content-Type': multipartType,
          'Content-Length': body.length,
        }),
      )
      await client.send(body.subarray(0, 300))
      client.end()
      return readAnswer(client)
    })
    expect(answer).toMatchObject(refused('BODY_INCOMPLETE'))
  })

  test.each(['the wasm', 'the manifest', 'nothing yet'])(
    'silently within %s is 400 after the time limit and leaves nothing behind',
    async (place) => {
      const answer = await leavesNothing(async () => {
        const body = multipartBody([manifestPart(fresh()), wasmPart(new Uint8Array(200_000))])
        const client = await openSubmission(impatient, { 'Content-Length': body.length })
        if (place === 'the wasm') await client.send(body.subarray(0, 100_000))
        if (place === 'the manifest') await client.send(body.subarray(0, 200))
        return readAnswer(client)
      }, impatient)
      expect(answer).toMatchObject(refused('BODY_INCOMPLETE'))
    },
  )

  test('but keeps the minimum rate is accepted', async () => {
    const body = multipartBody([manifestPart(fresh()), wasmPart(padModule(app.wasm, 80_000))])
    const client = await openSubmission(patient, { 'Content-Length': body.length })
    const step = Math.ceil(body.length / 8)
    for (let at = 0; at < body.length; at += step) {
      await client.send(body.subarray(at, at + step))
      // Eight pieces take longer than the window in which the rate is measured.
      await new Promise((resolve) => void setTimeout(resolve, 180))
    }
    expect((await readAnswer(client)).status).toBe(201)
  })

  test('aborted by the client leaves nothing behind and releases its slot', async () => {
    await leavesNothing(async () => {
      const clients = await sendHalves(app, 2)
      expect(await postParts(goodParts())).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
      for (const client of clients) client.destroy()
    })
    await vi.waitFor(async () => expect((await postParts(goodParts())).status).toBe(201), { timeout: 30_000 })
  })

  test('aborted before the server has begun to read releases its slot too', async () => {
    await leavesNothing(async () => {
      for (let round = 0; round < 24; round += 1) {
        const client = await openSubmission(app, { 'Content-Length': 5000 })
        if (round % 2 === 0) client.destroy()
        else client.end()
      }
    })
    await vi.waitFor(async () => expect((await postParts(goodParts())).status).toBe(201), { timeout: 30_000 })
    const all = await sendHalves(app, 2)
    for (const client of all) client.destroy()
    await vi.waitFor(async () => expect((await postParts(goodParts())).status).toBe(201), { timeout: 30_000 })
  })
})

describe('an early error can be read by a client that is still sending:', () => {
  /** Sends the headers and then `bytes` of body, and reads the response only afterwards. */
  async function sendAll(
    on: TestRegistry,
    path: string,
    token: string,
    bytes: number,
    type = multipartType,
  ): Promise<Answer & { errored: Error | null }> {
    const client = await connectRaw(on.registry)
    client.socket.pause()
    await client.send(
      requestHead('POST', `${on.api}/${path}`, {
        Authorization: `Bearer ${token}`,
        'Content-Type': type,
        'Content-Length': bytes,
      }),
    )
    const piece = Buffer.alloc(65_536, 'x')
    for (let sent = 0; sent < bytes; sent += piece.length) {
      await client.send(piece.subarray(0, Math.min(piece.length, bytes - sent)))
    }
    const { errored } = client.socket
    client.socket.resume()
    return { ...(await readAnswer(client)), errored }
  }

  test('401', async () => {
    const answer = await leavesNothing(() => sendAll(app, 'publish', 'no-token', 8 * megabyte))
    expect(answer).toMatchObject({ status: 401, code: 'TOKEN_INVALID', errored: null })
  })

  test('403', async () => {
    const json = 'application/json'
    const answer = await leavesNothing(() => sendAll(app, 'review/1', app.developer, 8 * megabyte, json))
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN', errored: null })
  })

  test('429', async () => {
    const answer = await leavesNothing(() => sendAll(spent, 'publish', spent.developer, 8 * megabyte), spent)
    expect(answer).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED', errored: null })
  })

  test('400 for a Content-Length that is too large', async () => {
    const answer = await leavesNothing(() => sendAll(app, 'publish', app.developer, 18 * megabyte))
    expect(answer).toMatchObject({ status: 400, code: 'PACKAGE_TOO_LARGE', errored: null })
  })

  test('404 and 405', async () => {
    expect(await sendAll(app, 'nowhere', app.developer, 2 * megabyte)).toMatchObject({ status: 404 })
    expect(await sendAll(app, 'skills', app.developer, 2 * megabyte)).toMatchObject({ status: 405 })
  })

  test('400 for a JSON body over its limit', async () => {
    const answer = await sendAll(app, 'review/1', app.administrator, 8 * megabyte, 'application/json')
    expect(answer).toMatchObject({ status: 400, code: 'BODY_TOO_LARGE', errored: null })
  })

  test('but the connection is closed after 32 MiB', async () => {
    const client = await openSubmission(app, { 'Content-Length': 1024 * megabyte }, 'no-token')
    expect((await client.answer()).status).toBe(401)
    const piece = Buffer.alloc(megabyte, 'x')
    let sent = 0
    while (!client.socket.destroyed && client.socket.writable && sent < 512) {
      await client.send(piece)
      sent += 1
    }
    expect(sent).toBeGreaterThanOrEqual(32)
    expect(sent).toBeLessThan(512)
    client.destroy()
  })

  test('and the connection can be used for another request', async () => {
    const client = await openSubmission(app, { 'Content-Length': megabyte }, 'no-token')
    expect((await client.answer()).status).toBe(401)
    await client.send(Buffer.alloc(megabyte, 'x'))
    await client.send(requestHead('GET', `${app.registry}/api/health`))
    expect((await client.answer()).status).toBe(200)
    client.destroy()
  })
})

describe('Expect: 100-continue', () => {
  test('a body that will be read gets 100 Continue', async () => {
    const body = multipartBody(goodParts())
    const client = await openSubmission(app, { 'Content-Length': body.length, Expect: '100-continue' })
    expect((await client.answer()).status).toBe(100)
    await client.send(body)
    expect((await readAnswer(client)).status).toBe(201)
  })

  test('a body that will not be read gets no 100 Continue', async () => {
    const headers = { 'Content-Length': 5 * megabyte, Expect: '100-continue' }
    const unknown = await leavesNothing(async () =>
      readAnswer(await openSubmission(app, headers, 'no-token')),
    )
    expect(unknown).toMatchObject({ status: 401, code: 'TOKEN_INVALID' })
    const many = await leavesNothing(async () => readAnswer(await openSubmission(spent, headers)), spent)
    expect(many).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
    const large = { ...headers, 'Content-Length': 50 * megabyte }
    const long = await leavesNothing(async () => readAnswer(await openSubmission(app, large)))
    expect(long).toMatchObject({ status: 400, code: 'PACKAGE_TOO_LARGE' })
  })

  test('a JSON body gets 100 Continue too', async () => {
    const client = await connectRaw(app.registry)
    const body = '{"action":"approved","reason":"long enough"}'
    await client.send(
      requestHead('POST', `${app.api}/review/999999`, {
        Authorization: `Bearer ${app.administrator}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Expect: '100-continue',
      }),
    )
    expect((await client.answer()).status).toBe(100)
    await client.send(body)
    expect(await readAnswer(client)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})
