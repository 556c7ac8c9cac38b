import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, NewerDatabaseError } from './migrate.ts'
import type { Migration } from './migrate.ts'
import { openConfigured } from './open.ts'

let folder: string
let path: string
let backups: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-migrate-'))
  path = join(folder, 'test.db')
  backups = join(folder, 'backups')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const first: Migration = {
  version: 1,
  name: 'first',
  up: (db) => void db.exec("CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('kept')"),
}
const second: Migration = { version: 2, name: 'second', up: (db) => void db.exec('CREATE TABLE b (y TEXT)') }
const third: Migration = { version: 3, name: 'third', up: (db) => void db.exec('CREATE TABLE c (z TEXT)') }
const broken: Migration = {
  version: 2,
  name: 'broken',
  up(db) {
    db.exec("CREATE TABLE b (y TEXT); UPDATE a SET x = 'changed'")
    throw new Error('half way')
  },
}

/** Version, tables, and the contents of the first one. */
function read(file = path): { version: unknown; tables: unknown[]; a: unknown[] } {
  const db = openConfigured(file, { timeoutMs: 0, readonly: true })
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
    const a = tables.includes('a') ? db.prepare('SELECT x FROM a').pluck().all() : []
    return { version: db.pragma('user_version', { simple: true }), tables, a }
  } finally {
    db.close()
  }
}

test('creates a new database with all steps, large pages and a write-ahead log, without a backup', () => {
  migrate(path, backups, [first, second])
  expect(read()).toEqual({ version: 2, tables: ['a', 'b'], a: ['kept'] })
  const db = openConfigured(path, { timeoutMs: 0 })
  expect(db.pragma('page_size', { simple: true })).toBe(16_384)
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(db.pragma('synchronous', { simple: true })).toBe(2)
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  db.close()
  expect(existsSync(backups)).toBe(false)
})

test('does the same with an empty file, which a killed start may leave', () => {
  writeFileSync(path, '')
  migrate(path, backups, [first])
  const db = openConfigured(path, { timeoutMs: 0 })
  expect(db.pragma('page_size', { simple: true })).toBe(16_384)
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  db.close()
})

test('leaves an up-to-date database unchanged, byte for byte', () => {
  migrate(path, backups)
  expect(read().tables).toEqual(expect.arrayContaining(['people', 'tokens', 'releases', 'decisions']))
  const before = readFileSync(path)
  migrate(path, backups)
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(existsSync(backups)).toBe(false)
})

test('runs only the missing steps, after a readable backup of the old version', () => {
  migrate(path, backups, [first])
  migrate(path, backups, [first, second, third])
  expect(read()).toEqual({ version: 3, tables: ['a', 'b', 'c'], a: ['kept'] })
  const [backup, ...more] = readdirSync(backups)
  expect(more).toEqual([])
  expect(backup).toMatch(/^before-migration-from-1-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/)
  expect(read(join(backups, backup ?? ''))).toEqual({ version: 1, tables: ['a'], a: ['kept'] })
})

test('a failing step is rolled back, and earlier steps stay', () => {
  migrate(path, backups, [first])
  expect(() => migrate(path, backups, [first, broken, third])).toThrow('half way')
  expect(read()).toEqual({ version: 1, tables: ['a'], a: ['kept'] })
  const late: Migration = { ...broken, version: 3 }
  expect(() => migrate(path, backups, [first, second, late])).toThrow()
  expect(read()).toEqual({ version: 2, tables: ['a', 'b'], a: ['kept'] })
  // A corrected program continues from there.
  migrate(path, backups, [first, second, third])
  expect(read()).toEqual({ version: 3, tables: ['a', 'b', 'c'], a: ['kept'] })
})

test('a process killed in the middle of a step leaves the former version', () => {
  migrate(path, backups, [first])
  const program = `
    import { migrate } from ${JSON.stringify(import.meta.resolve('./migrate.ts'))}
    const up = (db) => {
      db.exec("CREATE TABLE b (y TEXT); UPDATE a SET x = 'changed'")
      process.kill(process.pid, 'SIGKILL')
    }
    migrate(process.argv[1], process.argv[2], [{ version: 2, name: 'killed', up }])`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program, path, backups])
  expect(run.signal).toBe('SIGKILL')
  expect(read()).toEqual({ version: 1, tables: ['a'], a: ['kept'] })
  migrate(path, backups, [first, second])
  expect(read()).toEqual({ version: 2, tables: ['a', 'b'], a: ['kept'] })
})

test('a failing step leaves a new database empty', () => {
  expect(() => migrate(path, backups, [first, broken])).toThrow('half way')
  expect(read()).toEqual({ version: 0, tables: [], a: [] })
  migrate(path, backups, [first, second])
  expect(read()).toEqual({ version: 2, tables: ['a', 'b'], a: ['kept'] })
  expect(existsSync(backups)).toBe(false)
})

test('refuses a database of a newer program and leaves it unchanged', () => {
  migrate(path, backups, [first, second, third])
  const before = readFileSync(path)
  expect(() => migrate(path, backups, [first, second])).toThrow(NewerDatabaseError)
  expect(() => migrate(path, backups, [first, second])).toThrow(/version 3, but this program supports 2/)
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(existsSync(backups)).toBe(false)
})

test('does not overwrite a file that is not a database', () => {
  writeFileSync(path, 'my diary, and long enough to be looked at as if it were a database '.repeat(20))
  const before = readFileSync(path)
  expect(() => migrate(path, backups, [first])).toThrow(/not a database/)
  expect(readFileSync(path).equals(before)).toBe(true)
})
