import Sqlite from 'better-sqlite3'
import './allow-uris.ts'
import { isBusy } from './database-errors.ts'
import { fileIdentity } from './file-identity.ts'

export interface FileLock {
  /** False once the file was removed or replaced: then another process can take a lock of that name. */
  isHeld(): boolean
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
  const identity = fileIdentity(path)
  return {
    isHeld: () => fileIdentity(path) === identity,
    release() {
      connection.close()
    },
  }
}
