import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWalLimit } from '../composition/wal-limit.ts'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openConfigured } from './open.ts'
import { snapshotDatabase } from './snapshot.ts'
import { walLimitBytes } from './wal.ts'

let folder: string
let path: string
let database: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-wal-'))
  path = join(folder, 'test.db')
  migrate(path, folder)
  const connection = openConfigured(path, { timeoutMs: 0 })
  connection.exec('CREATE TABLE notes (text BLOB NOT NULL) STRICT')
  connection.prepare('INSERT INTO notes VALUES (zeroblob(32000000))').run()
  connection.close()
  database = openDatabase(path)
  // Flushing 2,000 commits is not what these tests are about.
  database.writer.pragma('synchronous = OFF')
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes 48 KiB of pages. */
const write = (): Promise<unknown> =>
  database.transact(() => database.writer.prepare('INSERT INTO notes VALUES (randomblob(40000))').run())

const count = (file: string): number => {
  const connection = new Sqlite(file, { readonly: true })
  const notes = connection.prepare<[], number>('SELECT count(*) FROM notes').pluck().get() ?? 0
  connection.close()
  return notes
}

test('a slow copy starts again instead of keeping the log of 2,000 writes, which stays within the promised size', async () => {
  const target = join(folder, 'copy.db')
  const growth = 4_194_304
  let largest = 0
  let restarts = 0
  let last = 0
  const copying = snapshotDatabase(
    path,
    target,
    (done) => {
      if (done < last) restarts += 1
      last = done
    },
    { growth, pagesAtOnce: 1, attempts: 8 },
  )
  for (let at = 0; at < 2000; at += 1) {
    await write()
    largest = Math.max(largest, database.walBytes())
    await nextTurn()
  }
  await copying
  expect(restarts).toBeGreaterThan(0)
  expect(largest).toBeGreaterThan(walLimitBytes)
  expect(largest).toBeLessThan(walLimitBytes + growth + 1_048_576)
  expect(count(target)).toBeGreaterThan(1)
  expect(count(target)).toBeLessThanOrEqual(2001)
  expect(database.truncateWal()).toBe(true)
  expect(database.walBytes()).toBe(0)
})

test('a copy that is overtaken in every attempt is an error and leaves no file', async () => {
  const target = join(folder, 'copy.db')
  const copying = snapshotDatabase(path, target, () => {}, {
    growth: -walLimitBytes,
    pagesAtOnce: 1,
    attempts: 2,
  })
  const over = new AbortController()
  const failed = expect(copying.finally(() => over.abort())).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  })
  while (!over.signal.aborted) {
    await write()
    await nextTurn()
  }
  await failed
  expect(() => statSync(target)).toThrow('ENOENT')
})

test("another process's read transaction keeps the log: that is logged, and the log is truncated once it has ended", async () => {
  const reader = new Sqlite(path, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM notes').get()
  for (let at = 0; at < 1500; at += 1) {
    await write()
  }
  expect(database.walBytes()).toBeGreaterThan(walLimitBytes)
  const log = { info: vi.fn(), warn: vi.fn() }
  const limit = createWalLimit(database, log, 5)
  limit.start()
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalled())
  reader.exec('COMMIT')
  await vi.waitFor(() => expect(log.info).toHaveBeenCalledWith({ bytes: 0 }, expect.any(String)))
  expect(log.warn).toHaveBeenCalledOnce()
  reader.close()
  await limit.end()
  expect(database.walBytes()).toBe(0)
})
