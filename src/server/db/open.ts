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
