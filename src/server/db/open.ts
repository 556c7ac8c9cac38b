import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import './allow-uris.ts'
import { walLimitBytes } from './wal.ts'

/** better-sqlite3 finds the folder of its native code itself; see docs/decisions/002. */
export function openConfigured(
  path: string,
  options: { timeoutMs: number; readonly?: boolean; create?: boolean },
): Sqlite.Database {
  const connection = new Sqlite(path, {
    timeout: options.timeoutMs,
    readonly: options.readonly ?? false,
    fileMustExist: !(options.create ?? false),
  })
  if (!options.readonly) {
    // FULL: an acknowledged decision survives a power failure.
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    // Otherwise a statement that changes more than 64 KiB needs a writable folder for temporary files.
    connection.pragma('temp_store = MEMORY')
    connection.pragma(`journal_size_limit = ${walLimitBytes}`)
  }
  connection.pragma('cache_size = -16384')
  return connection
}

/**
 * Opens a database for reading only, even in a read-only folder. To read a database with a log, SQLite needs files next
 * to it; in a read-only folder it can only use existing ones. Without a log, no process is writing, so the file can be
 * read without them.
 */
export function openForReading(path: string, timeoutMs: number): Sqlite.Database {
  // In a writable folder, a connection that SQLite itself opened read-only would leave `-wal` and `-shm` files behind.
  const connection = isWritable(dirname(path)) ? openConfigured(path, { timeoutMs }) : openInPlace(path)
  connection.pragma('query_only = ON')
  return connection
}

function openInPlace(path: string): Sqlite.Database {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  const name = log === undefined || log.size === 0 ? `${pathToFileURL(path).href}?immutable=1` : path
  try {
    const connection = openConfigured(name, { timeoutMs: 0, readonly: true })
    connection.pragma('user_version')
    return connection
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || error.code !== 'SQLITE_CANTOPEN') throw error
    throw new Sqlite.SqliteError(
      'the last server did not close it, and its folder is read-only; copy the folder to a writable location',
      error.code,
    )
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
