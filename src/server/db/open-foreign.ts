import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import './allow-uris.ts'

/**
 * How another program's database is read without leaving a trace:
 * - `immutable`: without a lock and without looking for a log. For a file in WAL mode that nobody has open;
 *   any other way of opening one makes `-wal` and `-shm` beside it, which stay.
 * - `locked`: with a lock that its owner sees, for a file with a rollback journal.
 * - `logged`: the same, through a `-wal`. Its `-shm` is only read.
 * - `copied`: a copy that nobody else knows, which SQLite may repair.
 */
export type ForeignMode = 'immutable' | 'locked' | 'logged' | 'copied'

const parameters: Record<ForeignMode, string> = {
  immutable: '?immutable=1',
  locked: '?readonly_shm=1',
  logged: '?readonly_shm=1',
  copied: '',
}

/** Milliseconds of the ruling; what lasts longer is asked again later, without a thread that waits. */
const busyTimeoutMs = 50

/**
 * An owner who closes a log holds the file until the log is gone. Whoever waits for that finds none, and SQLite
 * would make a new one: with a log there is no waiting, and the files are looked at anew before the next attempt.
 */
const waits: Record<ForeignMode, number> = { immutable: 0, locked: busyTimeoutMs, logged: 0, copied: 0 }

/** Opens another program's database for one short read; the caller closes it. */
export function openForeign(path: string, mode: ForeignMode): Sqlite.Database {
  const connection = new Sqlite(`${pathToFileURL(path).href}${parameters[mode]}`, {
    readonly: mode !== 'copied',
    fileMustExist: true,
    timeout: waits[mode],
  })
  // Its tables and views were made by somebody else: nothing in them may call what has an effect.
  connection.pragma('trusted_schema = OFF')
  connection.pragma('cell_size_check = ON')
  connection.pragma('mmap_size = 0')
  return connection
}

export interface ForeignProblem {
  reason: 'locked' | 'half-written' | 'not-a-database' | 'corrupt' | 'failed'
  message: string
}

const reasons: readonly (readonly [RegExp, ForeignProblem['reason']])[] = [
  [/^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/, 'locked'],
  // Whoever may write has to repair the file first.
  [/^SQLITE_READONLY_ROLLBACK/, 'half-written'],
  // Somebody repairs or replaces it at this moment.
  [/^SQLITE_READONLY/, 'locked'],
  [/^SQLITE_NOTADB/, 'not-a-database'],
  [/^SQLITE_CORRUPT/, 'corrupt'],
]

/** What an error of SQLite says about the file; null for any other error. */
export function asForeignProblem(error: unknown): ForeignProblem | null {
  if (!(error instanceof Sqlite.SqliteError)) return null
  const known = reasons.find(([code]) => code.test(error.code))
  return { reason: known?.[1] ?? 'failed', message: `${error.code}: ${error.message}` }
}
