import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import './allow-uris.ts'

/** The folder of better-sqlite3's native parts is found by the library itself; see docs/decisions/002. */
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
    // FULL: a decision that was acknowledged survives a loss of power.
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
  }
  connection.pragma('cache_size = -16384')
  return connection
}

/**
 * Opens a database so that nothing can be written through the connection, also where the folder itself cannot be
 * written to. SQLite reads a database with a log only through files that it makes beside it; in such a folder it can
 * use those that are there. Without a log nobody is writing, and the file can be read without them.
 */
export function openForReading(path: string, timeoutMs: number): Sqlite.Database {
  // Where it can be written to, a connection that is read-only for SQLite too would leave its `-wal` and `-shm` behind.
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
      'the last server that used it did not close it, and its folder is read-only; copy the folder to a writable place',
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
