import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireProgram, skipWithout } from '../../../tests/support/programs.ts'
import { cleanUp, start, temporaryFolder } from '../../../tests/support/server/command-line.ts'
import { until } from '../../../tests/support/wait.ts'
import { decompress, readTransaction } from './ltx.ts'

describe.skipIf(skipWithout('litestream'))('a transaction as Litestream stores it (needs litestream)', () => {
  let database: string
  /** The files of all transactions, in order. */
  let files: Buffer[]
  beforeAll(async () => {
    const folder = temporaryFolder()
    database = join(folder, 'test.db')
    const connection = new Sqlite(database)
    connection.pragma('journal_mode = WAL')
    connection.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)')
    const insert = connection.prepare('INSERT INTO texts (text) VALUES (?)')
    const config = join(folder, 'litestream.json')
    const replica = { type: 'file', path: join(folder, 'replica'), 'sync-interval': '10ms' }
    writeFileSync(config, JSON.stringify({ dbs: [{ path: database, replica }] }))
    const { child, ended } = start(requireProgram('litestream') ?? '', ['replicate', '-config', config])
    const transactions = join(folder, 'replica/ltx/0')
    const list = (): string[] => {
      try {
        return readdirSync(transactions).toSorted()
      } catch {
        return []
      }
    }
    for (const text of [
      'short',
      'repeated '.repeat(2000),
      Buffer.from(crypto.getRandomValues(new Uint8Array(9000))).toString('hex'),
    ]) {
      const before = list().length
      insert.run(text)
      await until('the transaction is stored', () => list().length > before)
    }
    child.kill('SIGTERM')
    await ended
    files = list().map((name) => readFileSync(join(transactions, name)))
    connection.pragma('wal_checkpoint(TRUNCATE)')
    connection.close()
  })
  afterAll(cleanUp)

  test('all transactions, one after the other, are the database', async () => {
    const copy: Buffer[] = []
    for (const [index, file] of files.entries()) {
      const { pageSize, pageCount, pages } = await readTransaction(file, index + 1)
      expect(pageSize).toBe(4096)
      for (const { number, bytes } of pages) copy[number - 1] = bytes
      copy.length = pageCount
    }
    expect(files.length).toBeGreaterThanOrEqual(3)
    expect(Buffer.concat(copy).equals(readFileSync(database))).toBe(true)
  })

  test('a file that is cut off anywhere, or belongs to another transaction, is refused', async () => {
    const [file = Buffer.alloc(0)] = files
    for (let length = 0; length < file.length; length += 1)
      await expect(readTransaction(file.subarray(0, length), 1)).rejects.toThrow('transaction 1 is damaged')
    await expect(readTransaction(file, 2)).rejects.toThrow('transaction 2 is damaged: another transaction')
  })

  test('a file with one changed byte anywhere is refused, or has the same pages', async () => {
    const [file = Buffer.alloc(0)] = files
    const { pages } = await readTransaction(file, 1)
    let refused = 0
    for (let at = 0; at < file.length; at += 1) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 0x41
      try {
        expect((await readTransaction(changed, 1)).pages).toEqual(pages)
      } catch (error) {
        expect(String(error)).toContain('transaction 1 is damaged')
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(file.length * 0.9)
  })
})

test('blocks of any bytes fill the page exactly or are refused', () => {
  const block = Buffer.alloc(64)
  for (let round = 0; round < 20_000; round += 1) {
    crypto.getRandomValues(block)
    decompress(block.subarray(0, round % 64), Buffer.alloc(512))
  }
  expect(decompress(Buffer.from([0x10, 65, 1, 0, 0x00]), Buffer.alloc(6))).toBe(false)
  const target = Buffer.alloc(6)
  expect(decompress(Buffer.from([0x10, 65, 1, 0, 0x10, 66]), target)).toBe(true)
  expect(target.toString()).toBe('AAAAAB')
})
