import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, sendPackage, startLyingRegistry } from '../support/client/lying-registry.ts'
import type { LyingRegistry } from '../support/client/lying-registry.ts'
import { manifest } from '../support/server/publish.ts'
import { createRuntimeClient } from '../support/client/runtime-client.ts'
import type { RuntimeClient } from '../support/client/runtime-client.ts'

// Uses a lying registry to show that every check of the runtime's client works. Otherwise, the client could pass
// against the real registry only because it checks nothing.

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

test('an honest registry is trusted, and gets the token only where one is required', async () => {
  expect(await client.search('upper')).toHaveLength(1)
  await client.install('upper-case', home)
  await client.install('upper-case@1.0.0', home)
  expect(await readdir(home)).toEqual(['upper-case-1.0.0.wasm'])
  expect(lying.requests.map(({ authorization }) => authorization)).toEqual(
    lying.requests.map(() => undefined),
  )
  await client.publish(...(await lying.project()).files)
  expect(lying.requests.at(-1)).toEqual({ path: '/api/marketplace/publish', authorization: 'Bearer secret' })
})

describe('the metadata of a release', () => {
  const withManifest = (change: Fields): Fields => lying.release({ manifest: { ...manifest(), ...change } })
  const without = (field: string): Fields => {
    const { [field]: _, ...rest } = lying.release()
    return rest
  }
  const cases: [string, () => Fields, RegExp][] = [
    [
      'another name',
      () => lying.release({ name: 'other', manifest: manifest({ name: 'other' }) }),
      /is other, not/,
    ],
    [
      'another version',
      () => lying.release({ version: '1.0.1', manifest: manifest({ version: '1.0.1' }) }),
      /is 1\.0\.1, not/,
    ],
    ['pending', () => lying.release({ status: 'pending' }), /is pending, not approved/],
    ['rejected', () => lying.release({ status: 'rejected' }), /is rejected, not approved/],
    ['revoked', () => lying.release({ status: 'revoked' }), /is revoked, not approved/],
    ['an unknown status', () => lying.release({ status: 'published' }), /status is not/],
    [
      'a digest in uppercase',
      () => lying.release({ sha256: String(lying.release()['sha256']).toUpperCase() }),
      /sha256 has an invalid format/,
    ],
    ['a size below the minimum', () => lying.release({ size: 7 }), /size is not an integer/],
    ['a size above the maximum', () => lying.release({ size: 16_777_217 }), /size is not an integer/],
    ['a fraction of a byte', () => lying.release({ size: 8.5 }), /size is not an integer/],
    ['the id 0', () => lying.release({ id: 0 }), /id is not an integer/],
    ['an owner id that is a string', () => lying.release({ ownerId: '1' }), /ownerId is not an integer/],
    ['no publisher', () => without('publisher'), /lacks publisher/],
    [
      'a time without a time zone',
      () => lying.release({ createdAt: '2026-11-22T08:00:00' }),
      /createdAt is not a UTC time/,
    ],
    [
      'a date that does not exist',
      () => lying.release({ createdAt: '2026-02-30T08:00:00Z' }),
      /createdAt is not a UTC time/,
    ],
    ['review notes that are a number', () => lying.release({ reviewReason: 7 }), /reviewReason is neither/],
    ['an unknown field', () => lying.release({ downloads: 7 }), /unknown field: downloads/],
    ['a manifest of another name', () => withManifest({ name: 'other' }), /manifest has a different name/],
    [
      'a manifest of another version',
      () => withManifest({ version: '2.0.0' }),
      /manifest has a different version/,
    ],
    ['a newer schema version', () => withManifest({ schemaVersion: 2 }), /schemaVersion is not 1/],
    ['another runtime', () => withManifest({ runtime: 'wasip2-component' }), /runtime is not wasip1-command/],
    ['another entrypoint', () => withManifest({ entrypoint: 'main' }), /entrypoint is not _start/],
    ['a price', () => withManifest({ pricing: 'paid' }), /pricing is not free/],
    ['an unknown category', () => withManifest({ category: 'Games' }), /category is not/],
    ['a manifest with an unknown field', () => withManifest({ homepage: 'x' }), /unknown field: homepage/],
    ['a long description', () => withManifest({ description: 'd'.repeat(501) }), /description is not a text/],
    ['a short readme', () => withManifest({ readme: 'r'.repeat(19) }), /readme is not a text/],
    ['no examples', () => withManifest({ examples: [] }), /examples must be one to three/],
    ['an example without output', () => withManifest({ examples: [{ input: 'a' }] }), /example lacks output/],
  ]
  test.each(cases)('%s is not installed', async (_case, metadata, why) => {
    lying.answer = lying.handler(metadata())
    await expect(client.install('upper-case@1.0.0', home)).rejects.toThrow(why)
    expect(await readdir(home)).toEqual([])
    expect(lying.requests.map(({ path }) => path)).toEqual(['/api/marketplace/skills/upper-case/1.0.0'])
  })

  test('a list is checked item by item, and may have at most 50 items', async () => {
    const send = (body: unknown): void => void (lying.answer = (_req, res) => sendJson(res, body))
    send({ items: [lying.release({ status: 'pending' })] })
    await expect(client.search('')).rejects.toThrow('contains a release that is pending')
    send({ items: [lying.release(), lying.release({ manifest: {} })] })
    await expect(client.search('')).rejects.toThrow('manifest lacks')
    send({ items: [], total: 0 })
    await expect(client.search('')).rejects.toThrow('unknown field: total')
    send({ items: Array.from({ length: 51 }, () => lying.release()) })
    await expect(client.search('')).rejects.toThrow('has 51 items')
    send([])
    await expect(client.search('')).rejects.toThrow('is not an object')
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
    const bytes = Buffer.from(lying.wasm)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    return bytes
  }
  const cases: [string, (res: ServerResponse) => void, RegExp][] = [
    [
      'one byte too many',
      (res) => sendPackage(res, Buffer.concat([lying.wasm, lying.wasm.subarray(0, 1)])),
      /is longer than/,
    ],
    ['one byte too few', (res) => sendPackage(res, lying.wasm.subarray(0, -1)), /bytes, not/],
    ['one flipped bit', (res) => sendPackage(res, flipped()), /different digest/],
    [
      'endless bytes',
      (res) => endless(res.writeHead(200, { 'content-type': 'application/wasm' })),
      /is longer than/,
    ],
    [
      'a broken connection',
      (res) => {
        res.writeHead(200, { 'content-type': 'application/wasm', 'content-length': lying.wasm.length })
        res.write(lying.wasm.subarray(0, 8), () => res.destroy())
      },
      /was cut off/,
    ],
    [
      'another media type',
      (res) => res.writeHead(200, { 'content-type': 'text/html' }).end(lying.wasm),
      /is text\/html/,
    ],
  ]
  test.each(cases)('%s: nothing is installed', async (_case, send, why) => {
    lying.answer = lying.handler(lying.release(), (_req, res) => send(res))
    await expect(client.install('upper-case', home)).rejects.toThrow(why)
    expect(await readdir(home)).toEqual([])
  })
})
