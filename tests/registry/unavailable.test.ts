import { open, rename, rm, writeFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { asDatabaseUnavailable } from '../../src/server/db/database-errors.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { call, manifest, publish, review } from '../support/server/publish.ts'
import type { Reply } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let number = 0
const newName = (): string => {
  number += 1
  return `skill-${number}`
}

beforeAll(async () => {
  app = await startTestRegistry()
  await app.release({ name: 'approved' }, 'approved')
})
afterAll(() => app.stop())

type Outcome = { status: number; code: string | undefined; retryAfter: boolean }
const outcome = ({ status, headers, body }: Reply<{ code?: string }>): Outcome => ({
  status,
  code: body.code,
  retryAfter: Number(headers.get('retry-after')) > 0,
})
const away = { status: 503, code: 'DATABASE_UNAVAILABLE', retryAfter: true }

const get = async (path: string, on = app, token = on.administrator): Promise<Outcome> =>
  outcome(await call<{ code?: string }>(`${on.api}/${path}`, { token }))
const submit = async (name: string, on = app): Promise<Outcome> =>
  outcome(await publish(on.registry, on.developer, manifest({ name }), on.wasm))
const approve = async (id: number, on = app): Promise<Outcome> =>
  outcome(await review(on.registry, on.administrator, id, 'approved'))
const health = async (on = app): Promise<unknown> => {
  const { status, body } = await call<{ status: string }>(`${on.registry}/api/health`)
  return { status, says: body.status }
}
const pollFor = (read: () => Promise<unknown>, expected: unknown): Promise<void> =>
  vi.waitFor(async () => expect(await read()).toEqual(expected), { timeout: 30_000, interval: 20 })

const reads = [
  'skills',
  'skills?q=approved',
  'skills/approved',
  'skills/approved/1.0.0',
  'skills/approved/1.0.0/manifest',
  'skills/approved/1.0.0/package',
  'mine',
  'review',
  'review/approved/1.0.0/package',
]

describe('a missing database file', () => {
  test('makes every registry endpoint 503 and loses nothing; everything works again when it is back', async () => {
    const { database } = dataPaths(app.folder)
    const id = await app.submit({ name: newName() })
    const count = async () => {
      const { body } = await call<List>(`${app.api}/review`, { token: app.administrator })
      return { releases: body.items.length, newest: body.items[0]?.id, status: body.items[0]?.status }
    }
    const before = await count()
    // Fills caches, which must not hide the failure.
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(reads.slice(0, 5).map((path) => get(path)))
    }

    await rename(database, `${database}.away`)
    try {
      // Writes always check, so even the first one after the move is refused.
      const writes = await Promise.all([approve(id), submit(newName())])
      expect(writes).toEqual([away, away])
      await pollFor(() => get('skills'), away)
      for (const path of reads) {
        expect(await get(path), path).toEqual(away)
      }
      expect(await submit(newName())).toEqual(away)
      expect(await approve(id)).toEqual(away)
      await pollFor(health, { status: 200, says: 'degraded' })
      expect((await call(`${app.registry}/openapi.json`)).status).toBe(200)
      // An invalid token is still 401, and an invalid parameter still 400.
      expect((await get('mine', app, 'no-token')).status).toBe(401)
      expect((await get('skills?offset=x')).status).toBe(400)
      const { body } = await call<{ error: string }>(`${app.api}/skills`)
      expect(body.error).not.toMatch(/sqlite|\.db|\//i)
    } finally {
      await rename(`${database}.away`, database)
    }
    await pollFor(health, { status: 200, says: 'ok' })
    expect(await count()).toEqual(before)
    for (const path of reads) {
      expect(await fetchStatus(path), path).toBe(200)
    }
    expect((await approve(id)).status).toBe(200)
    expect((await submit(newName())).status).toBe(201)
  })

  const fetchStatus = async (path: string): Promise<number> => {
    const response = await fetch(`${app.api}/${path}`, {
      headers: { authorization: `Bearer ${app.administrator}` },
    })
    await response.arrayBuffer()
    return response.status
  }
})

describe('a write lock that another connection holds', () => {
  const hold = (): Sqlite.Database => {
    const other = new Sqlite(dataPaths(app.folder).database)
    other.exec('BEGIN IMMEDIATE')
    return other
  }

  test('for longer than two seconds is 503 for writes, while reads still work', async () => {
    const name = newName()
    const id = await app.submit({ name: newName() })
    const other = hold()
    const done: string[] = []
    const started = performance.now()
    const note = async (what: string, work: Promise<Outcome>): Promise<Outcome> => {
      const result = await work
      done.push(what)
      return result
    }
    const writes = [note('write', approve(id)), note('write', submit(name))]
    const reading = await Promise.all(
      ['skills', 'mine', 'review', 'skills/approved', 'skills/approved/1.0.0/manifest'].map((path) =>
        note('read', get(path)),
      ),
    )
    expect(reading.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(done).toEqual(['read', 'read', 'read', 'read', 'read'])
    expect(await health()).toEqual({ status: 200, says: 'ok' })
    expect(await Promise.all(writes)).toEqual([away, away])
    expect(performance.now() - started).toBeGreaterThan(1900)
    other.exec('ROLLBACK')
    other.close()

    const { body } = await call<List>(`${app.api}/review?status=pending`, { token: app.administrator })
    expect(body.items.map((release) => release.id)).toContain(id)
    expect(body.items.map((release) => release.name)).not.toContain(name)
    expect((await approve(id)).status).toBe(200)
    expect((await submit(name)).status).toBe(201)
  })

  test('for less time delays writes', async () => {
    const id = await app.submit({ name: newName() })
    const other = hold()
    const writes = [approve(id), submit(newName())]
    await get('skills')
    other.exec('ROLLBACK')
    other.close()
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([200, 201])
  })
})

describe('a missing packages folder', () => {
  test('is 503 STORAGE_UNAVAILABLE for submissions and downloads until it is back', async () => {
    const { packages } = dataPaths(app.folder)
    const name = newName()
    const storageAway = { status: 503, code: 'STORAGE_UNAVAILABLE', retryAfter: true }
    await rename(packages, `${packages}.away`)
    try {
      expect(await submit(name)).toEqual(storageAway)
      expect(await get('skills/approved/1.0.0/package')).toEqual(storageAway)
      expect(await get('review/approved/1.0.0/package')).toEqual(storageAway)
      await pollFor(health, { status: 200, says: 'degraded' })
      expect((await get('skills/approved')).status).toBe(200)
      // A file in its place has the same effect.
      await writeFile(packages, '')
      expect(await submit(name)).toEqual(storageAway)
      expect(await get('skills/approved/1.0.0/package')).toEqual(storageAway)
      await rm(packages)
    } finally {
      await rename(`${packages}.away`, packages)
    }
    await pollFor(health, { status: 200, says: 'ok' })
    const { body } = await call<List>(`${app.api}/mine`, { token: app.developer })
    expect(body.items.map((release) => release.name)).not.toContain(name)
    expect((await submit(name)).status).toBe(201)
    expect((await fetch(`${app.api}/skills/approved/1.0.0/package`)).status).toBe(200)
  })
})

describe('a replaced or corrupt database', () => {
  test('a replaced file is 503 until the next start, which uses it', async () => {
    const first = await startTestRegistry()
    await first.release({ name: 'kept' }, 'approved')
    const { database } = dataPaths(first.folder)
    const source = new Sqlite(database, { readonly: true })
    await source.backup(`${database}.copy`)
    source.close()
    await rename(`${database}.copy`, database)
    expect(await submit('lost', first)).toEqual(away)
    await pollFor(() => get('skills', first), away)
    await pollFor(() => health(first), { status: 200, says: 'degraded' })
    await first.server.stop()

    const second = await startTestRegistry({ folder: first.folder })
    expect((await call<List>(`${second.api}/skills`)).body.items.map(({ name }) => name)).toEqual(['kept'])
    expect((await submit('lost', second)).status).toBe(201)
    await second.stop()
    await rm(first.folder, { recursive: true, force: true })
  })

  test('corrupt pages are 503 for what they contain, and for nothing else', async () => {
    const broken = await startTestRegistry()
    await broken.release({ name: 'broken' }, 'approved')
    const { database } = dataPaths(broken.folder)
    const other = new Sqlite(database)
    other.pragma('wal_checkpoint(TRUNCATE)')
    const size = Number(other.pragma('page_size', { simple: true }))
    const root = other
      .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'release_bodies'")
      .pluck()
      .get()
    const file = await open(database, 'r+')
    await file.write(Buffer.alloc(size, 0xff), 0, size, (Number(root) - 1) * size)
    await file.close()
    // A commit by another process makes every connection read its pages again.
    other.exec('UPDATE catalog_generation SET n = n + 1')
    other.close()
    expect(await get('skills/broken', broken)).toEqual(away)
    expect(await get('skills', broken)).toEqual(away)
    expect(await submit('another', broken)).toEqual(away)
    const manifestReply = await call<RegistryVersion>(`${broken.api}/skills/broken/1.0.0/manifest`)
    expect(manifestReply.status).toBe(200)
    expect(broken.logs.join('')).toContain('SQLITE_CORRUPT')
    await broken.stop()
  })

  test.each(
    [
      ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_IOERR', 'SQLITE_IOERR_WRITE', 'SQLITE_FULL'],
      [
        'SQLITE_CORRUPT',
        'SQLITE_CORRUPT_VTAB',
        'SQLITE_READONLY',
        'SQLITE_READONLY_DBMOVED',
        'SQLITE_CANTOPEN',
      ],
    ].flat(),
  )('%s means that the database is unavailable', (code) => {
    expect(asDatabaseUnavailable(new Sqlite.SqliteError('a message', code))).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.not.stringContaining('a message'),
    })
  })

  test.each(['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_MISUSE'])('%s does not', (code) => {
    expect(asDatabaseUnavailable(new Sqlite.SqliteError('a message', code))).toBeNull()
  })
})
