import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, startLyingRegistry } from '../support/client/lying-registry.ts'
import type { LyingRegistry } from '../support/client/lying-registry.ts'
import { manifest } from '../support/server/publish.ts'
import { createRuntimeClient, maxPageBytes, maxReleaseBytes } from '../support/client/runtime-client.ts'
import type { RuntimeClient } from '../support/client/runtime-client.ts'

// How much the runtime's client reads, where it sends requests, and what it sends, tested with a registry that lies.

type Fields = Record<string, unknown>

let lying: LyingRegistry
let client: RuntimeClient
let home: string

beforeAll(async () => {
  lying = await startLyingRegistry()
  client = createRuntimeClient({ NEXUS_REGISTRY_URL: `${lying.address}/`, NEXUS_REGISTRY_TOKEN: 'secret' })
})
afterAll(() => lying.stop())
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skilldock-distrust-'))
  lying.requests = []
  lying.answer = lying.handler()
})
afterEach(() => rm(home, { recursive: true, force: true }))

const publish = async (): Promise<unknown> => client.publish(...(await lying.project()).files)

describe('reading responses', () => {
  const padded = (body: unknown, bytes: number): string => JSON.stringify(body).padEnd(bytes)

  test('one release is read up to exactly 64 KiB, with and without a declared length', async () => {
    lying.answer = (_req, res) => sendJson(res, padded(lying.release(), maxReleaseBytes))
    expect(await client.info('upper-case')).toMatchObject({ name: 'upper-case' })
    for (const length of [{}, { 'content-length': String(maxReleaseBytes + 1) }]) {
      lying.answer = (_req, res) => sendJson(res, padded(lying.release(), maxReleaseBytes + 1), 200, length)
      await expect(client.info('upper-case')).rejects.toThrow('is longer than 65536 bytes')
    }
  })

  test('a page is read up to exactly 2 MiB', async () => {
    lying.answer = (_req, res) => sendJson(res, padded({ items: [lying.release()] }, maxPageBytes))
    expect(await client.search('')).toHaveLength(1)
    lying.answer = (_req, res) => sendJson(res, padded({ items: [lying.release()] }, maxPageBytes + 1))
    await expect(client.search('')).rejects.toThrow('is longer than 2097152 bytes')
  })

  test('a response that is not JSON in UTF-8 or has another media type is rejected', async () => {
    lying.answer = (_req, res) => sendJson(res, '<p>Hello</p>')
    await expect(client.info('upper-case')).rejects.toThrow('is not JSON')
    lying.answer = (_req, res) =>
      sendJson(res, JSON.stringify(lying.release()), 200, { 'content-type': 'text/plain' })
    await expect(client.info('upper-case')).rejects.toThrow('is text/plain, not application/json')
    lying.answer = (_req, res) =>
      void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.from(JSON.stringify(lying.release({ publisher: 'Zo\u00eb' })), 'latin1'))
    await expect(client.info('upper-case')).rejects.toThrow('is not JSON')
  })
})

describe('the registry address', () => {
  test.each([301, 302, 303, 307, 308])('is not left through a redirect with %i', async (status) => {
    lying.answer = (_req, res) => void res.writeHead(status, { location: `${lying.address}/elsewhere` }).end()
    await expect(client.info('upper-case')).rejects.toThrow('redirects to')
    await expect(client.search('upper')).rejects.toThrow('redirects to')
    await expect(publish()).rejects.toThrow('redirects to')
    lying.answer = lying.handler(lying.release(), (_req, res) =>
      res.writeHead(status, { location: '/elsewhere' }).end(),
    )
    await expect(client.install('upper-case', home)).rejects.toThrow('redirects to')
    expect(lying.requests.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
    expect(await readdir(home)).not.toContain('upper-case-1.0.0.wasm')
  })

  test.each([
    'http://registry.example.com',
    'http://192.0.2.1:4280',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://0.0.0.0:4280',
    'http://[::2]:4280',
    'ftp://127.0.0.1',
  ])('cannot be %s', (url) => {
    expect(() => createRuntimeClient({ NEXUS_REGISTRY_URL: url })).toThrow('does not use HTTPS')
  })

  test.each([
    'http://localhost:4280',
    'http://127.8.9.10',
    'http://[::1]:4280',
    'https://registry.example.com',
  ])('can be %s', (url) => expect(createRuntimeClient({ NEXUS_REGISTRY_URL: url })).toBeDefined())

  test('must be set', () => {
    expect(() => createRuntimeClient({})).toThrow('NEXUS_REGISTRY_URL is not set')
  })
})

describe('publishing', () => {
  test('sends the text part `manifest` and the file `lying.wasm` as application/wasm, and nothing else', async () => {
    let sent: Promise<FormData> | undefined
    lying.answer = (req, res) => {
      sent = readForm(req)
      void sent.then(() => sendJson(res, lying.submission(), 201))
    }
    await publish()
    const parts = [...((await sent) ?? new FormData())]
    expect(parts.map(([name]) => name)).toEqual(['manifest', 'wasm'])
    expect(parts[0]?.[1]).toBe(JSON.stringify(manifest()))
    const file = parts[1]?.[1] as File
    expect(file.type).toBe('application/wasm')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(lying.wasm)
  })

  const cases: [string, () => Fields, number, RegExp][] = [
    [
      'with the status approved',
      () => lying.submission({ status: 'approved' }),
      201,
      /status is not pending/,
    ],
    ['with another name', () => lying.submission({ name: 'other' }), 201, /a different name than was sent/],
    [
      'with another version',
      () => lying.submission({ version: '1.0.1' }),
      201,
      /a different version than was sent/,
    ],
    [
      'with another digest',
      () => lying.submission({ sha256: '0'.repeat(64) }),
      201,
      /a different sha256 than was sent/,
    ],
    ['without an id', () => lying.submission({ id: undefined }), 201, /lacks id/],
    ['with an unknown field', () => lying.submission({ url: '/' }), 201, /unknown field: url/],
    ['with another HTTP status', () => lying.submission(), 200, /responded with 200, not 201/],
  ]
  test.each(cases)('a response %s is rejected', async (_case, submission, status, why) => {
    lying.answer = (req, res) => void req.resume().on('end', () => sendJson(res, submission(), status))
    await expect(publish()).rejects.toThrow(why)
  })

  test('an error is shown with its message and Retry-After', async () => {
    const body = { error: 'Eight bodies are being received. Wait and send again.', code: 'TOO_MANY_REQUESTS' }
    lying.answer = (req, res) =>
      void req.resume().on('end', () => sendJson(res, body, 429, { 'retry-after': '7' }))
    await expect(publish()).rejects.toMatchObject({ status: 429, retryAfter: 7, message: body.error })
    lying.answer = (req, res) => void req.resume().on('end', () => sendJson(res, {}, 503))
    await expect(publish()).rejects.toThrow('An error with status 503 has no message')
  })
})

async function readForm(req: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const headers = { 'content-type': req.headers['content-type'] ?? '' }
  return new Response(Buffer.concat(chunks), { headers }).formData()
}
