import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openConfigured } from '../open.ts'
import { eventLog } from './event-log.ts'

let folder: string
let path: string
let database: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-log-'))
  path = join(folder, 'test.db')
  migrate(path, folder)
  database = openDatabase(path)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const addPerson = (subject: string): number =>
  Number(
    database.writer
      .prepare(
        `INSERT INTO people (issuer, subject, role, created_at)
         VALUES ('skilldock', ?, 'developer', '2026-01-01T00:00:00.000Z')`,
      )
      .run(subject).lastInsertRowid,
  )
const setRole = 'UPDATE people SET role = ? WHERE id = ?'

const entries = (): Record<string, unknown>[] =>
  eventLog(database.reader)
    .list(0, 1000)
    .map(({ entry }) => JSON.parse(entry) as Record<string, unknown>)
const types = (): unknown[] => entries().map(({ type }) => type)

test('a new database has an empty log with the root of an empty tree', () => {
  const log = eventLog(database.reader)
  expect(log.readSize()).toBe(0)
  expect(Buffer.from(log.readRoot(0)).toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
})

test('a transaction adds one entry for each row that it changed', async () => {
  const id = await database.transact(() => addPerson('mira'))
  await database.transact(() => {
    database.writer.prepare(setRole).run('administrator', id)
    database.writer.prepare(setRole).run('developer', id)
    addPerson('noor')
  })
  expect(types()).toEqual(['person.added', 'person.added'])
  await database.transact(() => void database.writer.prepare(setRole).run('administrator', id))
  expect(types()).toEqual(['person.added', 'person.added', 'person.changed'])
  expect(eventLog(database.reader).findLatest(`people/${id}`)?.row).toMatchObject({ role: 'administrator' })
})

test('a transaction that is rolled back adds no entry, and neither does the next one for it', async () => {
  await expect(
    database.transact(() => {
      addPerson('mira')
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await database.transact(() => void addPerson('noor'))
  expect(types()).toEqual(['person.added'])
})

test('a change by another program is not logged', async () => {
  const id = await database.transact(() => addPerson('mira'))
  const other = openConfigured(path, { timeoutMs: 1000 })
  other.prepare(setRole).run('administrator', id)
  other.close()
  await database.transact(() => void addPerson('noor'))
  expect(types()).toEqual(['person.added', 'person.added'])
  expect(eventLog(database.reader).findLatest(`people/${id}`)?.row).toMatchObject({ role: 'developer' })
})

test('the time of an entry is never before the time of an earlier one', async () => {
  await database.transact(() => void addPerson('mira'))
  const future = '2999-01-01T00:00:00.000Z'
  database.writer.prepare("UPDATE log_entries SET entry = json_set(entry, '$.at', ?)").run(future)
  await database.transact(() => void addPerson('noor'))
  expect(entries().map(({ at }) => at)).toEqual([future, future])
})

test('no entry contains a name or sign-in name', async () => {
  await database.transact(() => void addPerson('mira@example.org'))
  const [first] = eventLog(database.reader).list(0, 1)
  expect(first?.entry).not.toContain('mira')
  expect(first?.details).toContain('mira@example.org')
})
