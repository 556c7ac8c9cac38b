import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import './allow-uris.ts'

/**
 * How another program's database is read without leaving a trace:
 * - `immutable`: without a lock and without a log. For a file in WAL mode that no process has open; any other way
 *   would create `-wal` and `-shm` files, which stay.
 * - `locked`: with a lock that the owner sees, for a file with a rollback journal.
 * - `logged`: the same with a `-wal` file. Its `-shm` file is only read.
 * - `copied`: a private copy, which SQLite may repair.
 */
export type ForeignMode = 'immutable' | 'locked' | 'logged' | 'copied'

const parameters: Record<ForeignMode, string> = {
  immutable: '?immutable=1',
  locked: '?readonly_shm=1',
  logged: '?readonly_shm=1',
  copied: '',
}

/**
 * Milliseconds (rulings, "Dashboard API"). If the lock lasts longer, the read is retried later without blocking the
 * thread.
 */
const busyTimeoutMs = 50

/**
 * An owner that closes the log locks the file until the log is removed. After waiting for that lock, SQLite would
 * create a new log. So `logged` never waits, and the files are examined again before the next attempt.
 */
const timeouts: Record<ForeignMode, number> = { immutable: 0, locked: busyTimeoutMs, logged: 0, copied: 0 }

/** Opens another program's database for one short read. The caller must close it. */
export function openForeign(path: string, mode: ForeignMode): Sqlite.Database {
  const connection = new Sqlite(`${pathToFileURL(path).href}${parameters[mode]}`, {
    readonly: mode !== 'copied',
    fileMustExist: true,
    timeout: timeouts[mode],
  })
  // The schema is untrusted: its views and triggers must not call functions with side effects.
  connection.pragma('trusted_schema = OFF')
  connection.pragma('cell_size_check = ON')
  connection.pragma('mmap_size = 0')
  return connection
}

interface ForeignProblem {
  reason: 'locked' | 'half-written' | 'not-a-database' | 'corrupt' | 'failed'
  message: string
}

const reasons: readonly (readonly [RegExp, ForeignProblem['reason']])[] = [
  [/^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/, 'locked'],
  // A process with write access must repair the file first.
  [/^SQLITE_READONLY_ROLLBACK/, 'half-written'],
  // Another process is repairing or replacing it right now.
  [/^SQLITE_READONLY/, 'locked'],
  [/^SQLITE_NOTADB/, 'not-a-database'],
  [/^SQLITE_CORRUPT/, 'corrupt'],
]

/** The problem of the file that an SQLite error indicates; null for any other error. */
export function asForeignProblem(error: unknown): ForeignProblem | null {
  if (!(error instanceof Sqlite.SqliteError)) return null
  const known = reasons.find(([code]) => code.test(error.code))
  return { reason: known?.[1] ?? 'failed', message: `${error.code}: ${error.message}` }
}
