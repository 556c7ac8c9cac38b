import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DeskRelease } from '../../src/shared/contracts/desk-review.ts'
import { checksVersion } from '../../src/shared/findings/run-checks.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { deskClient, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  // Held decisions are tested elsewhere.
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const get = async (id: number): Promise<DeskRelease> => {
  const reply = await rita.get<DeskRelease>(`/releases/${id}`)
  expect(reply.status).toBe(200)
  return reply.body
}
const decide = (client: DeskClient, id: number | string, action: string, reason = 'I read all of it.') =>
  client.send<{ code?: string }>('POST', `/releases/${id}/decision`, { action, reason })
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A module with unique bytes. */
const moduleOf = (number: number): Promise<Uint8Array> =>
  assembleWat(
    `(module (memory (export "memory") 1) (func (export "_start")) (data (i32.const ${number}) "a"))`,
  )

describe('a release at the desk', () => {
  test('has all its details', async () => {
    const wasm = await assembleWat(`(module
      (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 2 5) (func (export "_start")) (func $begin) (start $begin)
      (global (export "version") i32 (i32.const 1)))`)
    const before = await app.release({ name: 'whole', version: '0.9.0' }, 'rejected')
    const first = await app.submit({ name: 'ahead' })
    const id = await app.submit({ name: 'whole', version: '1.0.0' }, app.developer, wasm)
    expect(await get(id)).toEqual({
      id,
      name: 'whole',
      version: '1.0.0',
      status: 'pending',
      sha256: digestOf(wasm),
      size: wasm.length,
      createdAt: expect.any(String),
      reviewReason: null,
      manifest: manifest({ name: 'whole', version: '1.0.0' }),
      module: {
        imports: ['fd_write'],
        exports: [
          { name: 'memory', kind: 'memory' },
          { name: '_start', kind: 'function' },
          { name: 'version', kind: 'global' },
        ],
        exportCount: 3,
        memory: { minPages: 2, maxPages: 5 },
        functionCount: 2,
        hasStart: true,
        sections: ['type', 'import', 'function', 'memory', 'global', 'export', 'start', 'code'].map(
          (name) => ({
            name,
            size: expect.any(Number),
          }),
        ),
        details: {
          tables: [],
          start: 2,
          producers: [],
          targetFeatures: [],
          namedFunctions: 0,
          debugBytes: 0,
        },
      },
      package: 'intact',
      owner: {
        id: 1,
        publisher: 'Alice',
        createdAt: expect.any(String),
        releases: { pending: 2, approved: 0, rejected: 1, revoked: 0 },
        decided: [{ id: before, name: 'whole', version: '0.9.0', status: 'rejected' }],
      },
      checks: {
        version: checksVersion(),
        count: expect.any(Number),
        checkedAt: expect.any(String),
        findings: expect.any(Array),
        observed: [],
        growth: { base: null, capabilities: [], functions: [] },
      },
      held: null,
      selfApproval: null,
      approvalsNeeded: 1,
      firstApproval: null,
      thread: { messages: [], changesRequested: false },
      downloads: 0,
      provenance: null,
      deprecation: null,
      statement: null,
      place: 2,
      history: [],
      events: [
        {
          kind: 'submitted',
          at: expect.any(String),
          person: 'Alice',
          why: null,
          check: null,
          evidence: null,
          selfApproved: false,
        },
      ],
      siblings: [{ id: before, version: '0.9.0', status: 'rejected', createdAt: expect.any(String) }],
    })
    expect((await get(first)).place).toBe(1)
  })

  test('lists at most 200 exports and sections, with their total number', async () => {
    const globals = Array.from({ length: 300 }, (_, n) => `(global (export "g${n}") i32 (i32.const ${n}))`)
    const wasm = await assembleWat(
      `(module (memory (export "memory") 1) (func (export "_start")) ${globals.join('')})`,
    )
    const custom = Uint8Array.of(0, 2, 1, 0x61)
    const long = new Uint8Array(Buffer.concat([wasm, ...Array.from({ length: 300 }, () => custom)]))
    const { module } = await get(await app.submit({ name: 'long' }, app.developer, long))
    expect(module?.exports).toHaveLength(200)
    expect(module?.exportCount).toBe(302)
    expect(module?.sections).toHaveLength(200)
  })

  test('from before module details were stored has none', async () => {
    const id = await app.submit({ name: 'old' })
    await withDatabase(app, (database) =>
      database.transact(
        () => void database.writer.prepare('DELETE FROM release_modules WHERE release_id = ?').run(id),
      ),
    )
    expect((await get(id)).module).toBeNull()
  })

  test('leaves the queue when it is decided, and those behind it move up', async () => {
    const ids = [await app.submit({ name: 'place-a' }), await app.submit({ name: 'place-b' })]
    const placeOf = async (index: number): Promise<number | null> => (await get(ids[index] ?? 0)).place
    const [before, behind] = [await placeOf(0), await placeOf(1)]
    expect(behind).toBe((before ?? 0) + 1)
    await decide(rita, ids[0] ?? 0, 'rejected')
    expect(await placeOf(0)).toBeNull()
    expect(await placeOf(1)).toBe(before)
  })

  test('that does not exist is 404, and a malformed id is 400', async () => {
    for (const [path, status] of [
      ['99999', 404],
      ['9007199254740991', 404],
      ['0', 400],
      ['x', 400],
      ['1e3', 400],
    ] as const) {
      expect((await rita.get(`/releases/${path}`)).status, path).toBe(status)
      expect((await rita.get(`/releases/${path}/package`)).status, path).toBe(status)
      expect((await decide(rita, path, 'approved')).status, path).toBe(status)
    }
  })
})

describe('the package', () => {
  test('can be downloaded in any status, with its name and size', async () => {
    const wasm = await moduleOf(1)
    const id = await app.submit({ name: 'download' }, app.developer, wasm)
    for (const action of [null, 'approved', 'revoked']) {
      if (action !== null) expect((await decide(rita, id, action)).status).toBe(200)
      const response = await rita.open(`/releases/${id}/package`)
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/wasm',
        'content-length': String(wasm.length),
        'content-disposition': 'attachment; filename="download-1.0.0.wasm"',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      expect(digestOf(new Uint8Array(await response.arrayBuffer()))).toBe(digestOf(wasm))
    }
  })

  test('waits for a download slot, shared with the registry', async () => {
    const other = await startTestRegistry({ config: { downloadConcurrency: 1 } })
    try {
      const client = await signIn(other, 'rita')
      const big = new Uint8Array(Buffer.concat([await moduleOf(2), bigSection(8_000_000)]))
      const id = await other.submit({ name: 'big' }, other.developer, big)
      const held = await client.open(`/releases/${id}/package`)
      expect(await client.get(`/releases/${id}/package`)).toMatchObject({
        status: 429,
        body: { code: 'TOO_MANY_REQUESTS' },
      })
      const headers = { authorization: `Bearer ${other.administrator}` }
      expect((await fetch(`${other.api}/review/big/1.0.0/package`, { headers })).status).toBe(429)
      expect(digestOf(new Uint8Array(await held.arrayBuffer()))).toBe(digestOf(big))
      // The slot is freed when the server has closed the file, shortly after the last byte has arrived.
      const free = await until('a slot is free', async () => {
        const response = await client.open(`/releases/${id}/package`)
        const bytes = await response.arrayBuffer()
        return response.status === 200 && bytes
      })
      expect(free.byteLength).toBe(big.length)
    } finally {
      await other.stop()
    }
  })

  test('is not served, but reported as changed, missing or unavailable', async () => {
    const wasm = await moduleOf(3)
    const id = await app.submit({ name: 'damaged' }, app.developer, wasm)
    const path = join(dataPaths(app.folder).packages, digestOf(wasm))
    expect((await get(id)).package).toBe('intact')
    const bytes = await readFile(path)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(path, bytes)
    expect((await get(id)).package).toBe('changed')
    expect(await rita.get(`/releases/${id}/package`)).toMatchObject({
      status: 503,
      body: { code: 'PACKAGE_CORRUPT' },
    })
    await rm(path)
    expect((await get(id)).package).toBe('missing')
    await writeFile(path, wasm)
    expect((await get(id)).package).toBe('intact')

    const { packages } = dataPaths(app.folder)
    const storage = async () => (await rita.get<{ storage: string }>('/services')).body.storage
    const patience = { timeout: 30_000 }
    await rename(packages, `${packages}-aside`)
    try {
      expect((await get(id)).package).toBe('unavailable')
      expect(await rita.get(`/releases/${id}/package`)).toMatchObject({
        status: 503,
        body: { code: 'STORAGE_UNAVAILABLE' },
      })
      await expect.poll(storage, patience).toBe('unavailable')
      // The folder is replaced with a file, so paths in it cannot be opened.
      await writeFile(packages, '')
      expect((await get(id)).package).toBe('unavailable')
      expect(await rita.get(`/releases/${id}/package`)).toMatchObject({
        status: 503,
        body: { code: 'STORAGE_UNAVAILABLE' },
      })
    } finally {
      await rm(packages, { force: true })
      await rename(`${packages}-aside`, packages)
    }
    expect((await get(id)).package).toBe('intact')
    await expect.poll(storage, patience).toBe('ok')
  })
})

describe('a decision', () => {
  test('equals one through the registry: in review notes, history and public catalog', async () => {
    const id = await app.submit({ name: 'decided' })
    expect(await decide(rita, id, 'approved', 'It does what it says.')).toMatchObject({
      status: 200,
      body: { held: null },
    })
    expect((await fetch(`${app.api}/skills/decided`)).status).toBe(200)
    await decide(rita, id, 'revoked', 'It no longer builds.')
    expect((await fetch(`${app.api}/skills/decided`)).status).toBe(404)
    const release = await get(id)
    expect(release).toMatchObject({ status: 'revoked', reviewReason: 'It no longer builds.', place: null })
    expect(release.history).toMatchObject([
      {
        action: 'revoked',
        reason: 'It no longer builds.',
        decidedBy: 'rita',
        releaseId: id,
        name: 'decided',
      },
      { action: 'approved', reason: 'It does what it says.', decidedBy: 'rita', version: '1.0.0' },
    ])
  })

  test('can only be made by one of two at the same time', async () => {
    const id = await app.submit({ name: 'raced' })
    await app.token({ subject: 'rolf', role: 'administrator' })
    const rolf = await signIn(app, 'rolf')
    const replies = await Promise.all([decide(rita, id, 'approved'), decide(rolf, id, 'rejected')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('INVALID_TRANSITION')
    expect((await get(id)).history).toHaveLength(1)
  })

  test('that is not allowed in this status, lacks review notes or is made by a developer is refused', async () => {
    const id = await app.submit({ name: 'refused' })
    const alice = await signIn(app, 'alice')
    expect(await decide(alice, id, 'approved')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await decide(deskClient(app), id, 'approved')).status).toBe(401)
    expect(await decide(rita, id, 'revoked')).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    for (const reason of ['', 'short', 'x'.repeat(2001)]) {
      expect((await decide(rita, id, 'approved', reason)).status).toBe(400)
    }
    expect((await decide(rita, id, 'pending')).status).toBe(400)
    expect(await get(id)).toMatchObject({ status: 'pending', history: [] })
  })
})

/** A custom section of this many bytes. */
function bigSection(size: number): Uint8Array {
  const length: number[] = []
  for (let left = size; ; left >>>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left)
    if (left <= 127) break
  }
  return Buffer.concat([Uint8Array.of(0, ...length), Buffer.from([1, 0x61]), Buffer.alloc(size - 2)])
}
