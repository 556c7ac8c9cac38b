import { existsSync, rmSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { isBusy } from './database-errors.ts'
import { openConfigured } from './open.ts'

/**
 * Writes a copy of the database at `path` without unused pages to `target`, and compares the two. Returns `open` if
 * another process has the database open, or a sentence that says how the copy differs. Afterwards the original has no
 * log, so it can be replaced by renaming the copy.
 */
export function compactInto(path: string, target: string): { result: 'done' | 'open' | { differs: string } } {
  removeCopy(target)
  const original = openConfigured(path, { timeoutMs: 0 })
  try {
    // Set before the first access, this refuses any other connection, even a reader, until this one is closed.
    original.pragma('locking_mode = EXCLUSIVE')
    original.exec('BEGIN EXCLUSIVE; COMMIT')
    original.prepare('VACUUM INTO ?').run(target)
    const copy = openConfigured(target, { timeoutMs: 0 })
    try {
      copy.pragma('journal_mode = WAL')
      const differs = findDifference(original, copy)
      if (differs !== null) return { result: { differs } }
    } finally {
      copy.close()
    }
  } catch (error) {
    if (isBusy(error)) return { result: 'open' }
    throw error
  } finally {
    original.close()
  }
  return { result: existsSync(`${path}-wal`) || existsSync(`${path}-shm`) ? 'open' : 'done' }
}

/** Removes what a killed process has left of a copy. */
export function removeCopy(target: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${target}${ending}`, { force: true })
}

function findDifference(original: Sqlite.Database, copy: Sqlite.Database): string | null {
  const [damage] = quickCheck(copy)
  if (damage !== undefined) return damage
  for (const name of ['user_version', 'page_size']) {
    const [before, after] = [original, copy].map((one) => one.pragma(name, { simple: true }))
    if (before !== after) return `${name} is ${String(after)} instead of ${String(before)}`
  }
  const tables = original
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all()
  for (const table of tables) {
    const sql = `SELECT count(*) FROM "${table.replaceAll('"', '""')}"`
    const [before, after] = [original, copy].map((one) => one.prepare(sql).pluck().get())
    if (before !== after) return `${table} has ${String(after)} rows instead of ${String(before)}`
  }
  return null
}

/** Problems that SQLite finds with pages and tables, without comparing the indexes with them. */
export function quickCheck(connection: Sqlite.Database): string[] {
  const lines = connection.prepare<[], string>('PRAGMA quick_check(5)').pluck().all()
  return lines.filter((line) => line !== 'ok')
}
