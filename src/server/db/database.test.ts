import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { asDatabaseUnavailable, isBusy } from './database-errors.ts'
import { acquireFileLock } from './file-lock.ts'
import { withOrigin } from './log/origin.ts'
import { migrate } from './migrate.ts'
import { openConfigured } from './open.ts'

let folder: string
let path: string
let database: Database
let other: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-db-'))
  path = join(folder, 'test.db')
  migrate(path, folder)
  const connection = openConfigured(path, { timeoutMs: 0 })
  connection.exec('CREATE TABLE notes (text TEXT NOT NULL) STRICT')
  connection.close()
  database = openDatabase(path, { waitMs: 400 })
})
afterEach(() => {
  database.close()
  other?.kill('SIGKILL')
  other = undefined
  rmSync(folder, { recursive: true, force: true })
})

const add = (text: string): void => {
  database.writer.prepare('INSERT INTO notes VALUES (?)').run(text)
}
const notes = (): unknown[] => database.reader.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all()

/** Runs a script in another process with `db` open on the database; resolves when it prints "ready". */
function beside(script: string): Promise<ChildProcess> {
  const text = `const db = new (require('better-sqlite3'))(process.argv[1]); ${script}; console.log('ready')`
  const child = spawn(process.execPath, ['-e', text, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  other = child
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child)))
}

const ending = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', resolve))

describe('transact', () => {
  test('returns the result, and makes its writes visible to the reader', async () => {
    expect(
      await database.transact(() => {
        add('one')
        expect(notes()).toEqual([])
        return 7
      }),
    ).toBe(7)
    expect(notes()).toEqual(['one'])
  })

  test('rolls everything back when the work throws, and rethrows the same error', async () => {
    const error = new Error('no')
    const failing = database.transact(() => {
      add('lost')
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(database.writer.inTransaction).toBe(false)
    await database.transact(() => add('kept'))
    expect(notes()).toEqual(['kept'])
  })

  test('refuses work that returns a promise, and rolls it back', async () => {
    const later = (): never => {
      add('lost')
      return Promise.resolve() as never
    }
    await expect(database.transact(later)).rejects.toThrow('must be synchronous')
    const thenable = (): never => {
      add('lost')
      // oxlint-disable-next-line unicorn/no-thenable -- the test needs a thenable
      return { then() {} } as never
    }
    await expect(database.transact(thenable)).rejects.toThrow('must be synchronous')
    expect(notes()).toEqual([])
    await database.transact(() => add('kept'))
    expect(notes()).toEqual(['kept'])
  })

  test('runs a hundred concurrent transactions one after the other', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        database.transact(() => {
          const count = database.writer.prepare('SELECT count(*) FROM notes').pluck().get()
          expect(count).toBe(at)
          add(String(at))
        }),
      ),
    )
    expect(notes()).toHaveLength(100)
  })
})

describe('another writer', () => {
  /** The longest block of the event loop, in ms, while a write waited for 200 ms. */
  const measureWait = async (): Promise<number> => {
    const child = await beside(
      "db.exec('BEGIN IMMEDIATE'); process.stdin.once('data', () => { db.exec('COMMIT'); process.exit() })",
    )
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const start = performance.now()
    const writing = database.transact(() => add('after'))
    setTimeout(() => child.stdin?.write('now'), 200)
    await writing
    delays.disable()
    expect(performance.now() - start).toBeGreaterThan(190)
    return delays.max / 1e6
  }

  test('is awaited without blocking the event loop', async () => {
    // A busy machine only makes delays longer, so one good measurement of several is enough.
    let least = Infinity
    for (let round = 0; round < 5 && least >= 50; round += 1) least = Math.min(least, await measureWait())
    expect(least).toBeLessThan(50)
    expect(notes()).toContain('after')
  })

  test('that does not finish in time leads to DATABASE_UNAVAILABLE, and nothing is written', async () => {
    await beside("db.exec('BEGIN IMMEDIATE'); process.stdin.once('data', () => {})")
    const start = performance.now()
    const refused = await database.transact(() => add('never')).catch((error: unknown) => error)
    const took = performance.now() - start
    expect(isBusy(refused)).toBe(true)
    expect(asDatabaseUnavailable(refused)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryAfter: 5 })
    expect(took).toBeGreaterThanOrEqual(400)
    expect(took).toBeLessThan(2000)
    expect(notes()).toEqual([])
    // Reads still work.
    expect(() => database.assertAvailable()).not.toThrow()
  })

  test('that ends the permission of a request makes the waiting write of the request fail', async () => {
    const writer = openConfigured(path, { timeoutMs: 0 })
    writer.exec("BEGIN IMMEDIATE; INSERT INTO notes VALUES ('ended')")
    const permission = {
      assert: () => {
        if (notes().includes('ended')) throw new Error('not permitted')
      },
    }
    const origin = { person: 1, channel: 'api', address: null } as const
    permission.assert()
    const writing = withOrigin(origin, () => database.transact(() => add('never')), permission)
    writer.exec('COMMIT')
    writer.close()
    await expect(writing).rejects.toThrow('not permitted')
    expect(notes()).toEqual(['ended'])
    await database.transact(() => add('after'))
    expect(notes()).toEqual(['ended', 'after'])
  })

  test('that is killed in the middle of its transaction leaves neither data nor a lock', async () => {
    const child = await beside(
      "db.exec('BEGIN IMMEDIATE'); db.exec(`INSERT INTO notes VALUES ('half')`); process.stdin.once('data', () => {})",
    )
    child.kill('SIGKILL')
    await ending(child)
    await database.transact(() => add('whole'))
    expect(notes()).toEqual(['whole'])
  })
})

describe('opening', () => {
  test('waits for another process that closes the file and locks it exclusively for that', async () => {
    database.close()
    await beside(
      "db.pragma('locking_mode = EXCLUSIVE'); db.exec('BEGIN IMMEDIATE; COMMIT'); setTimeout(() => { db.close(); process.exit() }, 300)",
    )
    const start = performance.now()
    database = openDatabase(path)
    expect(notes()).toEqual([])
    await database.transact(() => add('after'))
    expect(notes()).toEqual(['after'])
    expect(performance.now() - start).toBeGreaterThan(100)
  })

  test('holds a shared lock, so that no other process can lock the file exclusively', async () => {
    const child = await beside(
      "db.pragma('busy_timeout = 0'); db.pragma('locking_mode = EXCLUSIVE'); try { db.exec('BEGIN IMMEDIATE; COMMIT') } catch (error) { process.exitCode = error.code === 'SQLITE_BUSY' ? 7 : 1 } db.close()",
    )
    expect(await ending(child)).toBe(7)
    expect(notes()).toEqual([])
  })
})

describe('a database file that is moved away', () => {
  test.skipIf(process.platform === 'win32')(
    'refuses writes immediately, and accepts them again when the file is back',
    async () => {
      renameSync(path, `${path}.away`)
      await expect(database.transact(() => add('lost'))).rejects.toMatchObject({
        code: 'DATABASE_UNAVAILABLE',
      })
      expect(() => database.assertAvailable()).toThrow('is unavailable')
      expect(database.isAvailable()).toBe(false)
      renameSync(`${path}.away`, path)
      await database.transact(() => add('kept'))
      expect(database.isAvailable()).toBe(true)
      expect(notes()).toEqual(['kept'])
    },
  )

  test.skipIf(process.platform === 'win32')(
    'in the middle of a transaction makes the transaction fail',
    async () => {
      const writing = database.transact(() => {
        add('lost')
        renameSync(path, `${path}.away`)
      })
      await expect(writing).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
      renameSync(`${path}.away`, path)
      expect(notes()).toEqual([])
    },
  )
})

test.skipIf(process.platform !== 'linux')(
  'a large write needs no temporary file, so no folder for them needs to be writable',
  async () => {
    const deletedFiles = (): string[] =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          const target = readlinkSync(`/proc/self/fd/${fd}`)
          return target.endsWith(' (deleted)') ? [target] : []
        } catch {
          return []
        }
      })
    const before = deletedFiles()
    await database.transact(() => {
      database.writer.exec('CREATE UNIQUE INDEX notes_text ON notes (text)')
      for (let n = 0; n < 200; n += 1) add(`${n} ${'x'.repeat(1000)}`)
      database.writer.exec("UPDATE notes SET text = text || 'y'")
      expect(deletedFiles().filter((file) => !before.includes(file))).toEqual([])
    })
  },
)

describe('the lock between processes', () => {
  const lockPath = (): string => join(folder, 'a.lock')

  test('has only one holder, until it is released', () => {
    const first = acquireFileLock(lockPath(), 0)
    expect(first).not.toBeNull()
    expect(acquireFileLock(lockPath(), 0)).toBeNull()
    first?.release()
    const second = acquireFileLock(lockPath(), 0)
    expect(second).not.toBeNull()
    second?.release()
  })

  test('waits up to the given time', () => {
    const held = acquireFileLock(lockPath(), 0)
    const start = performance.now()
    expect(acquireFileLock(lockPath(), 200)).toBeNull()
    expect(performance.now() - start).toBeGreaterThanOrEqual(150)
    held?.release()
  })

  test('is free as soon as the process that held it was killed', async () => {
    const script = `const lock = new (require('better-sqlite3'))(${JSON.stringify(lockPath())}); lock.exec('BEGIN EXCLUSIVE')`
    const child = await beside(`${script}; process.stdin.once('data', () => {})`)
    expect(acquireFileLock(lockPath(), 0)).toBeNull()
    child.kill('SIGKILL')
    await ending(child)
    const lock = acquireFileLock(lockPath(), 0)
    expect(lock).not.toBeNull()
    lock?.release()
  })
})
