import Sqlite from 'better-sqlite3'
import './allow-uris.ts'
import { isBusy } from './database-errors.ts'
import { fileIdentity } from './file-identity.ts'

export interface FileLock {
  /** False once the file was removed or replaced, so that another process can take a lock with that name. */
  isHeld(): boolean
  release(): void
}

/**
 * Takes an inter-process lock on `path`, blocking the thread for up to `timeoutMs`; null if another process holds it.
 * Uses SQLite's file lock, because the system releases it when the holder dies, so that there are no stale locks.
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
