import Sqlite from 'better-sqlite3'
import './allow-uris.ts'
import { isBusy } from './database-errors.ts'

export interface FileLock {
  release(): void
}

/**
 * Takes a lock between processes on `path`, waiting up to `timeoutMs` (the thread is blocked meanwhile), or
 * gives null where somebody else holds it. SQLite's own file lock is used because the system drops it when
 * the holder dies, however it dies: there is no stale lock to judge.
 */
export function acquireFileLock(path: string, timeoutMs: number): FileLock | null {
  const connection = new Sqlite(path, { timeout: timeoutMs })
  try {
    connection.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    if (isBusy(error)) return null
    throw error
  }
  return {
    release() {
      connection.close()
    },
  }
}
