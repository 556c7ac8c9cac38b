import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rename, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

const maxBytes = 16_777_216

let app: TestRegistry
let modules = 0

beforeAll(async () => {
  app = await startTestRegistry({ config: { downloadConcurrency: 2 } })
})
afterAll(() => app.stop())

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A module that no other test uploads, of `size` bytes or slightly larger than the previous one. */
const newModule = (size?: number): Uint8Array<ArrayBuffer> => {
  modules += 1
  return padModule(app.wasm, size ?? app.wasm.length + 100 + modules)
}

async function approve(name: string, wasm: Uint8Array): Promise<string> {
  await app.decide(await app.submit({ name }, app.developer, wasm), 'approved')
  return join(dataPaths(app.folder).packages, digestOf(wasm))
}

const packageOf = (name: string, method = 'GET'): Promise<Response> =>
  fetch(`${app.api}/skills/${name}/1.0.0/package`, { method })

const inspect = (name: string, method = 'GET'): Promise<Response> =>
  fetch(`${app.api}/review/${name}/1.0.0/package`, {
    method,
    headers: { authorization: `Bearer ${app.administrator}` },
  })

const expectedHeaders = (name: string, wasm: Uint8Array): Record<string, string> => ({
  'content-type': 'application/wasm',
  'content-length': String(wasm.length),
  'content-disposition': `attachment; filename="${name}-1.0.0.wasm"`,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  etag: `"sha256-${digestOf(wasm)}"`,
  'repr-digest': `sha-256=:${Buffer.from(digestOf(wasm), 'hex').toString('base64')}:`,
})

async function assertPackage(response: Response, name: string, wasm: Uint8Array): Promise<void> {
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject(expectedHeaders(name, wasm))
  expect(digestOf(new Uint8Array(await response.arrayBuffer()))).toBe(digestOf(wasm))
}

async function assertCorrupt(name: string): Promise<void> {
  for (const response of await Promise.all([packageOf(name), inspect(name)])) {
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    // The response reveals neither the package nor its path.
    const body = (await response.json()) as { code: string; error: string }
    expect(body).toEqual({ error: expect.stringContaining(name), code: 'PACKAGE_CORRUPT' })
    expect(body.error).not.toContain(app.folder)
  }
  const [head, metadata] = await Promise.all([packageOf(name, 'HEAD'), call(`${app.api}/skills/${name}`)])
  expect(head.status).toBe(503)
  expect(metadata.status).toBe(200)
}

describe('a download', () => {
  test('has the recorded digest and size, and the specified headers', async () => {
    const wasm = newModule()
    await approve('plain', wasm)
    const { body } = await call<RegistryVersion>(`${app.api}/skills/plain`)
    expect(body).toMatchObject({ sha256: digestOf(wasm), size: wasm.length })
    await assertPackage(await packageOf('plain'), 'plain', wasm)
  })

  test('of 16 MiB is complete', async () => {
    const wasm = newModule(maxBytes)
    await approve('largest', wasm)
    await assertPackage(await packageOf('largest'), 'largest', wasm)
  })

  test('answers HEAD with the same headers and no body', async () => {
    const wasm = newModule()
    await approve('head', wasm)
    for (const response of await Promise.all([packageOf('head', 'HEAD'), inspect('head', 'HEAD')])) {
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject(expectedHeaders('head', wasm))
      expect((await response.arrayBuffer()).byteLength).toBe(0)
    }
    // More often than there are slots: HEAD releases its slot.
    for (let round = 0; round < 4; round += 1) {
      expect((await packageOf('head', 'HEAD')).status).toBe(200)
    }
  })

  test('with the ETag of the module is 304 without a body while the release is approved, and 404 after that', async () => {
    const wasm = newModule()
    const id = await app.submit({ name: 'cached' }, app.developer, wasm)
    await app.decide(id, 'approved')
    const etag = `"sha256-${digestOf(wasm)}"`
    const ask = (tag: string): Promise<Response> =>
      fetch(`${app.api}/skills/cached/1.0.0/package`, { headers: { 'if-none-match': tag } })
    // More often than there are slots: 304 releases its slot.
    for (let round = 0; round < 4; round += 1) {
      const response = await ask(etag)
      expect([response.status, response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
        304,
        etag,
        'no-store',
      ])
      expect((await response.arrayBuffer()).byteLength).toBe(0)
    }
    await assertPackage(await ask('"sha256-other"'), 'cached', wasm)
    await app.decide(id, 'revoked')
    expect((await ask(etag)).status).toBe(404)
  })

  test.each([
    ['pending', []],
    ['approved', ['approved']],
    ['rejected', ['rejected']],
    ['revoked', ['approved', 'revoked']],
  ])('is available for inspection while the release is %s', async (status, actions) => {
    const name = `inspect-${status}`
    const wasm = newModule()
    await app.decide(await app.submit({ name }, app.developer, wasm), ...actions)
    await assertPackage(await inspect(name), name, wasm)
    expect((await packageOf(name)).status).toBe(status === 'approved' ? 200 : 404)
  })

  test('of an unknown release is 404, including for inspection', async () => {
    const url = `${app.api}/review/no-such/1.0.0/package`
    expect(await refusal(url, { token: app.administrator })).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      paths: [],
    })
  })
})

describe('a package that does not match its digest is never served', () => {
  test('a flipped bit is 503 PACKAGE_CORRUPT until it is flipped back', async () => {
    const wasm = newModule(200_000)
    const path = await approve('flipped', wasm)
    await assertPackage(await packageOf('flipped'), 'flipped', wasm)
    const bytes = await readFile(path)
    bytes[199_000] = (bytes[199_000] ?? 0) ^ 1
    await writeFile(path, bytes)
    await assertCorrupt('flipped')
    await assertCorrupt('flipped')
    await writeFile(path, wasm)
    await assertPackage(await packageOf('flipped'), 'flipped', wasm)
  })

  test('a flipped bit is detected even if size and modification time are unchanged', async () => {
    const wasm = newModule()
    const path = await approve('same-time', wasm)
    const time = new Date('2020-01-01T00:00:00Z')
    await utimes(path, time, time)
    await assertPackage(await packageOf('same-time'), 'same-time', wasm)
    const bytes = await readFile(path)
    bytes[bytes.length - 1] = 0xff
    await writeFile(path, bytes)
    await utimes(path, time, time)
    await assertCorrupt('same-time')
  })

  test('a package that has not been read before is checked too', async () => {
    const path = await approve('unread', newModule())
    await writeFile(path, Buffer.from('something else entirely'))
    await assertCorrupt('unread')
  })

  test('a truncated file is 503 PACKAGE_CORRUPT', async () => {
    const wasm = newModule()
    const path = await approve('shortened', wasm)
    await assertPackage(await packageOf('shortened'), 'shortened', wasm)
    await truncate(path, wasm.length - 1)
    await assertCorrupt('shortened')
    await truncate(path, 0)
    await assertCorrupt('shortened')
  })

  test('a missing file is 503 PACKAGE_CORRUPT until it is restored', async () => {
    const wasm = newModule()
    const path = await approve('gone', wasm)
    await rename(path, `${path}.elsewhere`)
    await assertCorrupt('gone')
    await rename(`${path}.elsewhere`, path)
    await assertPackage(await packageOf('gone'), 'gone', wasm)
  })

  test('submitting the same bytes again repairs a damaged file', async () => {
    const wasm = newModule()
    const path = await approve('repaired', wasm)
    await writeFile(path, 'damaged')
    await assertCorrupt('repaired')
    await app.submit({ name: 'resubmitted' }, app.developer, wasm)
    await assertPackage(await packageOf('repaired'), 'repaired', wasm)
  })
})

// The system's count of bytes that this process has read, which needs neither a clock nor a mock.
const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

test.runIf(process.platform === 'linux')('a package is hashed once, not at each download', async () => {
  await approve('read-once', newModule(maxBytes))
  const reading = async (times: number): Promise<number> => {
    const before = bytesRead()
    for (let round = 0; round < times; round += 1) {
      expect((await packageOf('read-once', 'HEAD')).status).toBe(200)
    }
    return bytesRead() - before
  }
  expect(await reading(1)).toBeGreaterThanOrEqual(maxBytes)
  expect(await reading(10)).toBeLessThan(maxBytes / 2)
})

describe('files named by their digest', () => {
  test('the same bytes in releases of two publishers are one file', async () => {
    const wasm = newModule()
    const bob = await app.token({ subject: 'bob' })
    await approve('twin-one', wasm)
    const files = await app.packageFiles()
    const id = await app.submit({ name: 'twin-two' }, bob, wasm)
    await app.decide(id, 'approved')
    expect(await app.packageFiles()).toEqual(files)
    expect(files.filter((file) => file === digestOf(wasm))).toHaveLength(1)

    // Neither an error nor revoking one release removes the file from the other.
    expect((await publish(app.registry, bob, manifest({ name: 'twin-one' }), wasm)).status).toBe(403)
    expect((await publish(app.registry, bob, manifest({ name: 'twin-two' }), wasm)).status).toBe(409)
    await app.decide(id, 'revoked')
    await assertPackage(await packageOf('twin-one'), 'twin-one', wasm)
  })
})

describe('the download concurrency limit', () => {
  test('is 429 TOO_MANY_REQUESTS with Retry-After, for public and inspection downloads together', async () => {
    await approve('slow', newModule(maxBytes))
    const begin = async (path: string) => {
      const client = await connectRaw(app.registry)
      const answered = new Promise((resolve) => void client.socket.once('readable', resolve))
      await client.send(
        requestHead('GET', `${app.api}/${path}/slow/1.0.0/package`, {
          Authorization: `Bearer ${app.administrator}`,
        }),
      )
      await answered
      return client
    }
    // These read only the first bytes, so their downloads do not end.
    const clients = [await begin('skills'), await begin('review')]

    for (const response of await Promise.all([
      packageOf('slow'),
      inspect('slow'),
      packageOf('slow', 'HEAD'),
    ])) {
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await refusal(`${app.api}/skills/slow/1.0.0/package`)).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    // Other errors take precedence, and metadata is not limited.
    expect((await refusal(`${app.api}/skills/no-such/1.0.0/package`)).status).toBe(404)
    expect((await call(`${app.api}/skills/slow/1.0.0`)).status).toBe(200)
    expect((await call(`${app.api}/skills/slow/1.0.0/manifest`)).status).toBe(200)

    for (const client of clients) client.destroy()
    await vi.waitFor(async () => expect((await packageOf('slow', 'HEAD')).status).toBe(200), {
      timeout: 30_000,
    })
    const both = await Promise.all([packageOf('slow', 'HEAD'), inspect('slow', 'HEAD')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  })

  test('does not count a download that was aborted before its first byte', async () => {
    await approve('given-up', newModule(maxBytes))
    for (let round = 0; round < 20; round += 1) {
      const client = await connectRaw(app.registry)
      await client.send(requestHead('GET', `${app.api}/skills/given-up/1.0.0/package`))
      client.destroy()
    }
    const both = (): Promise<Response[]> =>
      Promise.all([packageOf('given-up', 'HEAD'), inspect('given-up', 'HEAD')])
    await vi.waitFor(async () => expect((await both()).map(({ status }) => status)).toEqual([200, 200]), {
      timeout: 30_000,
    })
  })
})

describe('the very next request', () => {
  const found = async (q: string): Promise<string[]> => {
    const { body } = await call<List>(`${app.api}/skills?q=${encodeURIComponent(q)}`)
    return body.items.map(({ name }) => name)
  }

  test('sees an approval and a revocation, however often the old response was read', async () => {
    const name = 'warm-cache'
    const readAll = async () => ({
      latest: (await call(`${app.api}/skills/${name}`)).status,
      release: (await call(`${app.api}/skills/${name}/1.0.0`)).status,
      manifest: (await call(`${app.api}/skills/${name}/1.0.0/manifest`)).status,
      package: (await packageOf(name, 'HEAD')).status,
      listed: (await call<List>(`${app.api}/skills`)).body.items.some((release) => release.name === name),
      found: (await found(name)).length,
    })
    const absent = { latest: 404, release: 404, manifest: 404, package: 404, listed: false, found: 0 }
    const present = { latest: 200, release: 200, manifest: 200, package: 200, listed: true, found: 1 }
    const warm = async (expected: typeof absent): Promise<void> => {
      for (let round = 0; round < 4; round += 1) {
        expect(await readAll()).toEqual(expected)
      }
    }
    const id = await app.submit({ name })
    await warm(absent)
    await app.decide(id, 'approved')
    await warm(present)
    await app.decide(id, 'revoked')
    expect(await readAll()).toEqual(absent)
  })

  test('falls back to the release before the one that was revoked', async () => {
    const name = 'fallback'
    await app.release({ name, version: '2.0.0' }, 'approved')
    const id = await app.release({ name, version: '1.0.0' }, 'approved')
    const latest = async () => (await call<RegistryVersion>(`${app.api}/skills/${name}`)).body.version
    for (let round = 0; round < 3; round += 1) {
      expect(await latest()).toBe('1.0.0')
    }
    await app.decide(id, 'revoked')
    expect(await latest()).toBe('2.0.0')
  })

  test('shows and finds a publisher by a new name that another connection has set', async () => {
    const carol = await app.token({ subject: 'carol', name: 'Carol Old' })
    const approved = await app.submit({ name: 'by-carol' }, carol)
    await app.decide(approved, 'approved')
    const pending = await app.submit({ name: 'by-carol-later' }, carol)
    const publishers = async () => [
      (await call<RegistryVersion>(`${app.api}/skills/by-carol`)).body.publisher,
      (await call<RegistryVersion>(`${app.api}/skills/by-carol/1.0.0`)).body.publisher,
      (await call<List>(`${app.api}/skills?q=by-carol`)).body.items[0]?.publisher,
      (await call<List>(`${app.api}/mine`, { token: carol })).body.items[0]?.publisher,
      (await call<List>(`${app.api}/review?status=pending`, { token: app.administrator })).body.items.find(
        ({ id }) => id === pending,
      )?.publisher,
    ]
    for (let round = 0; round < 3; round += 1) {
      expect(await publishers()).toEqual(Array.from({ length: 5 }, () => 'Carol Old'))
      expect(await found('carol old')).toEqual(['by-carol'])
      expect(await found('Karla')).toEqual([])
    }
    await app.token({ subject: 'carol', name: 'Karla New' })
    expect(await publishers()).toEqual(Array.from({ length: 5 }, () => 'Karla New'))
    expect(await found('Karla')).toEqual(['by-carol'])
    expect(await found('carol old')).toEqual([])

    await app.decide(pending, 'approved')
    expect(await found('karla')).toEqual(['by-carol-later', 'by-carol'])
    // A token without --name changes nothing.
    await app.token({ subject: 'carol' })
    expect(await found('karla')).toEqual(['by-carol-later', 'by-carol'])
  })
})
