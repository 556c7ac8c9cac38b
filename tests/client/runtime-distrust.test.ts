import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assembleWat } from '../support/assemble-wat.ts'
import { manifest } from '../support/publish.ts'
import { createRuntimeClient, maxPageBytes, maxReleaseBytes } from '../support/runtime-client.ts'
import type { RuntimeClient } from '../support/runtime-client.ts'

// Each check of the runtime's client, shown to bite on a registry that lies: without this, nobody would know
// whether the client passes the real one because that one is right or because the client looks at nothing.

type Fields = Record<string, unknown>
type Answer = RequestListener

let server: Server
let client: RuntimeClient
let address: string
let home: string
let wasm: Buffer
let answer: Answer
let asked: { path: string; authorization: string | undefined }[]

beforeAll(async () => {
  wasm = Buffer.from(await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))'))
  server = createServer((req, res) => {
    asked.push({ path: req.url ?? '', authorization: req.headers.authorization })
    answer(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = createRuntimeClient({ NEXUS_REGISTRY_URL: `${address}/`, NEXUS_REGISTRY_TOKEN: 'secret' })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skilldock-distrust-'))
  asked = []
  answer = registry()
})
afterEach(() => rm(home, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const release = (change: Fields = {}): Fields => ({
  id: 1,
  name: 'upper-case',
  version: '1.0.0',
  manifest: manifest(),
  sha256: sha256(wasm),
  size: wasm.length,
  status: 'approved',
  ownerId: 1,
  publisher: 'Alice',
  createdAt: '2026-11-22T08:00:00.000Z',
  reviewReason: null,
  ...change,
})

const submission = (change: Fields = {}): Fields => ({
  id: 1,
  status: 'pending',
  name: 'upper-case',
  version: '1.0.0',
  sha256: sha256(wasm),
  ...change,
})

function sendJson(res: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const sendPackage = (res: ServerResponse, bytes: Uint8Array): void => {
  res.writeHead(200, { 'content-type': 'application/wasm', 'content-length': bytes.length })
  res.end(bytes)
}

/** A registry with one release, of which a test changes what it is about. */
function registry(
  told: Fields = release(),
  sendBytes: Answer = (_req, res) => sendPackage(res, wasm),
): Answer {
  return (req, res) => {
    const path = (req.url ?? '').replace(/\?.*/, '')
    if (path.endsWith('/package')) sendBytes(req, res)
    else if (path.endsWith('/skills')) sendJson(res, { items: [told] })
    else if (path.endsWith('/publish')) req.resume().on('end', () => sendJson(res, submission(), 201))
    else sendJson(res, told)
  }
}

async function publish(): Promise<unknown> {
  const files = [join(home, 'manifest.json'), join(home, 'skill.wasm')] as const
  await Promise.all([writeFile(files[0], JSON.stringify(manifest())), writeFile(files[1], wasm)])
  return client.publish(...files)
}

test('a registry that tells the truth is believed, and sees the token only where one is wanted', async () => {
  expect(await client.search('upper')).toHaveLength(1)
  await client.install('upper-case', home)
  await client.install('upper-case@1.0.0', home)
  expect(await readdir(home)).toEqual(['upper-case-1.0.0.wasm'])
  expect(asked.map(({ authorization }) => authorization)).toEqual(asked.map(() => undefined))
  await publish()
  expect(asked.at(-1)).toEqual({ path: '/api/marketplace/publish', authorization: 'Bearer secret' })
})

describe('what a release says of itself', () => {
  const said = (change: Fields): Fields => release({ manifest: { ...manifest(), ...change } })
  const without = (field: string): Fields => {
    const { [field]: _, ...rest } = release()
    return rest
  }
  const cases: [string, () => Fields, RegExp][] = [
    [
      'another name',
      () => release({ name: 'other', manifest: manifest({ name: 'other' }) }),
      /is other, not/,
    ],
    [
      'another version',
      () => release({ version: '1.0.1', manifest: manifest({ version: '1.0.1' }) }),
      /is 1\.0\.1, not/,
    ],
    ['pending', () => release({ status: 'pending' }), /is pending, not approved/],
    ['rejected', () => release({ status: 'rejected' }), /is rejected, not approved/],
    ['revoked', () => release({ status: 'revoked' }), /is revoked, not approved/],
    ['a status of its own', () => release({ status: 'published' }), /status is not/],
    [
      'a digest in capitals',
      () => release({ sha256: sha256(wasm).toUpperCase() }),
      /sha256 has another shape/,
    ],
    ['a size below the least', () => release({ size: 7 }), /size is no whole number/],
    ['a size above the most', () => release({ size: 16_777_217 }), /size is no whole number/],
    ['half a byte', () => release({ size: 8.5 }), /size is no whole number/],
    ['the id 0', () => release({ id: 0 }), /id is no whole number/],
    ['an owner in letters', () => release({ ownerId: '1' }), /ownerId is no whole number/],
    ['no publisher', () => without('publisher'), /lacks publisher/],
    ['a time without its zone', () => release({ createdAt: '2026-11-22T08:00:00' }), /createdAt is no time/],
    ['a day that never was', () => release({ createdAt: '2026-02-30T08:00:00Z' }), /createdAt is no time/],
    ['a number as the notes', () => release({ reviewReason: 7 }), /reviewReason is neither/],
    ['a field of its own', () => release({ downloads: 7 }), /unknown field: downloads/],
    ['a manifest of another name', () => said({ name: 'other' }), /manifest has another name/],
    ['a manifest of another version', () => said({ version: '2.0.0' }), /manifest has another version/],
    ['a schema of the future', () => said({ schemaVersion: 2 }), /schemaVersion is not 1/],
    ['another runtime', () => said({ runtime: 'wasip2-component' }), /runtime is not wasip1-command/],
    ['another entrypoint', () => said({ entrypoint: 'main' }), /entrypoint is not _start/],
    ['a price', () => said({ pricing: 'paid' }), /pricing is not free/],
    ['a category of its own', () => said({ category: 'Games' }), /category is not/],
    ['a manifest with another field', () => said({ homepage: 'x' }), /unknown field: homepage/],
    ['a long description', () => said({ description: 'd'.repeat(501) }), /description is no text/],
    ['a short readme', () => said({ readme: 'r'.repeat(19) }), /readme is no text/],
    ['no examples', () => said({ examples: [] }), /examples are not one to three/],
    ['an example without output', () => said({ examples: [{ input: 'a' }] }), /example lacks output/],
  ]
  test.each(cases)('%s is not installed', async (_case, told, why) => {
    answer = registry(told())
    await expect(client.install('upper-case@1.0.0', home)).rejects.toThrow(why)
    expect(await readdir(home)).toEqual([])
    expect(asked.map(({ path }) => path)).toEqual(['/api/marketplace/skills/upper-case/1.0.0'])
  })

  test('a list is believed as far as each of its items is, and no further than 50', async () => {
    const send = (body: unknown): void => void (answer = (_req, res) => sendJson(res, body))
    send({ items: [release({ status: 'pending' })] })
    await expect(client.search('')).rejects.toThrow('holds a release that is pending')
    send({ items: [release(), release({ manifest: {} })] })
    await expect(client.search('')).rejects.toThrow('manifest lacks')
    send({ items: [], total: 0 })
    await expect(client.search('')).rejects.toThrow('unknown field: total')
    send({ items: Array.from({ length: 51 }, () => release()) })
    await expect(client.search('')).rejects.toThrow('has 51 items')
    send([])
    await expect(client.search('')).rejects.toThrow('is no object')
  })
})

describe('the bytes of a package', () => {
  const endless = (res: ServerResponse): void => {
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(65_536)));
      if (!res.destroyed) res.once('drain', more)
    }
    more()
  }
  const flipped = (): Buffer => {
    const bytes = Buffer.from(wasm)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    return bytes
  }
  const cases: [string, (res: ServerResponse) => void, RegExp][] = [
    [
      'one byte more',
      (res) => sendPackage(res, Buffer.concat([wasm, wasm.subarray(0, 1)])),
      /is longer than/,
    ],
    ['one byte less', (res) => sendPackage(res, wasm.subarray(0, -1)), /bytes, not/],
    ['one other bit', (res) => sendPackage(res, flipped()), /another digest/],
    [
      'no end',
      (res) => endless(res.writeHead(200, { 'content-type': 'application/wasm' })),
      /is longer than/,
    ],
    [
      'a connection that is cut',
      (res) => {
        res.writeHead(200, { 'content-type': 'application/wasm', 'content-length': wasm.length })
        res.write(wasm.subarray(0, 8), () => res.destroy())
      },
      /breaks off/,
    ],
    ['another type', (res) => res.writeHead(200, { 'content-type': 'text/html' }).end(wasm), /is text\/html/],
  ]
  test.each(cases)('%s: nothing is installed', async (_case, send, why) => {
    answer = registry(release(), (_req, res) => send(res))
    await expect(client.install('upper-case', home)).rejects.toThrow(why)
    expect(await readdir(home)).toEqual([])
  })
})

describe('how much is read', () => {
  const padded = (body: unknown, bytes: number): string => JSON.stringify(body).padEnd(bytes)

  test('one release is read up to 64 KiB and not a byte further, also where its length is not said', async () => {
    answer = (_req, res) => sendJson(res, padded(release(), maxReleaseBytes))
    expect(await client.info('upper-case')).toMatchObject({ name: 'upper-case' })
    for (const length of [{}, { 'content-length': String(maxReleaseBytes + 1) }]) {
      answer = (_req, res) => sendJson(res, padded(release(), maxReleaseBytes + 1), 200, length)
      // oxlint-disable-next-line no-await-in-loop
      await expect(client.info('upper-case')).rejects.toThrow('is longer than 65536 bytes')
    }
  })

  test('a page is read up to 2 MiB and not a byte further', async () => {
    answer = (_req, res) => sendJson(res, padded({ items: [release()] }, maxPageBytes))
    expect(await client.search('')).toHaveLength(1)
    answer = (_req, res) => sendJson(res, padded({ items: [release()] }, maxPageBytes + 1))
    await expect(client.search('')).rejects.toThrow('is longer than 2097152 bytes')
  })

  test('what is not JSON in UTF-8, or says that it is something else, is no answer', async () => {
    answer = (_req, res) => sendJson(res, '<p>Hello</p>')
    await expect(client.info('upper-case')).rejects.toThrow('is not JSON')
    answer = (_req, res) => sendJson(res, JSON.stringify(release()), 200, { 'content-type': 'text/plain' })
    await expect(client.info('upper-case')).rejects.toThrow('is text/plain, not application/json')
    answer = (_req, res) =>
      void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from(JSON.stringify(release({ publisher: 'Zo\u00eb' })), 'latin1'))
    await expect(client.info('upper-case')).rejects.toThrow('is not JSON')
  })
})

describe('where it goes', () => {
  test.each([301, 302, 303, 307, 308])(
    'a redirect with %i is not followed, with no request',
    async (status) => {
      answer = (_req, res) => void res.writeHead(status, { location: `${address}/elsewhere` }).end()
      await expect(client.info('upper-case')).rejects.toThrow('sends on to')
      await expect(client.search('upper')).rejects.toThrow('sends on to')
      await expect(publish()).rejects.toThrow('sends on to')
      answer = registry(release(), (_req, res) => res.writeHead(status, { location: '/elsewhere' }).end())
      await expect(client.install('upper-case', home)).rejects.toThrow('sends on to')
      expect(asked.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
      expect(await readdir(home)).not.toContain('upper-case-1.0.0.wasm')
    },
  )

  test.each([
    'http://registry.example.com',
    'http://192.0.2.1:4280',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://0.0.0.0:4280',
    'http://[::2]:4280',
    'ftp://127.0.0.1',
  ])('%s is not asked for anything', (url) => {
    expect(() => createRuntimeClient({ NEXUS_REGISTRY_URL: url })).toThrow('is not reached by HTTPS')
  })

  test.each([
    'http://localhost:4280',
    'http://127.8.9.10',
    'http://[::1]:4280',
    'https://registry.example.com',
  ])('%s is one that it takes', (url) =>
    expect(createRuntimeClient({ NEXUS_REGISTRY_URL: url })).toBeDefined(),
  )

  test('without an address it does nothing', () => {
    expect(() => createRuntimeClient({})).toThrow('NEXUS_REGISTRY_URL is not set')
  })
})

describe('publishing', () => {
  test('sends the text `manifest` and the file `wasm` as application/wasm, and nothing else', async () => {
    let sent: Promise<FormData> | undefined
    answer = (req, res) => {
      sent = readForm(req)
      void sent.then(() => sendJson(res, submission(), 201))
    }
    await publish()
    const parts = [...((await sent) ?? new FormData())]
    expect(parts.map(([name]) => name)).toEqual(['manifest', 'wasm'])
    expect(parts[0]?.[1]).toBe(JSON.stringify(manifest()))
    const file = parts[1]?.[1] as File
    expect(file.type).toBe('application/wasm')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(wasm)
  })

  const cases: [string, () => Fields, number, RegExp][] = [
    ['approved at once', () => submission({ status: 'approved' }), 201, /status is not pending/],
    ['for another name', () => submission({ name: 'other' }), 201, /another name than was sent/],
    ['for another version', () => submission({ version: '1.0.1' }), 201, /another version than was sent/],
    ['for other bytes', () => submission({ sha256: '0'.repeat(64) }), 201, /another sha256 than was sent/],
    ['without an id', () => submission({ id: undefined }), 201, /lacks id/],
    ['with a field of its own', () => submission({ url: '/' }), 201, /unknown field: url/],
    ['with another status', () => submission(), 200, /answers 200, not 201/],
  ]
  test.each(cases)('a submission %s is not believed', async (_case, told, status, why) => {
    answer = (req, res) => void req.resume().on('end', () => sendJson(res, told(), status))
    await expect(publish()).rejects.toThrow(why)
  })

  test('a refusal is shown with its sentence, and tells when to come back', async () => {
    const body = { error: 'Eight bodies are being received. Wait and send again.', code: 'TOO_MANY_REQUESTS' }
    answer = (req, res) => void req.resume().on('end', () => sendJson(res, body, 429, { 'retry-after': '7' }))
    await expect(publish()).rejects.toMatchObject({ status: 429, retryAfter: 7, message: body.error })
    answer = (req, res) => void req.resume().on('end', () => sendJson(res, {}, 503))
    await expect(publish()).rejects.toThrow('A refusal with 503 has no sentence')
  })
})

async function readForm(req: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const headers = { 'content-type': req.headers['content-type'] ?? '' }
  return new Response(Buffer.concat(chunks), { headers }).formData()
}
