import type { Connection } from './database.ts'
import { databaseChanging } from './database-errors.ts'
import { openForReading } from './open.ts'
import { truncateWal, walBytes, walLimitBytes } from './wal.ts'

/** Milliseconds that the copy waits for other readers while writers wait for it. */
const truncateWaitMs = 50

/** Each attempt copies this many times more pages before the event loop continues, and so takes less time. */
const acceleration = 4

interface SnapshotLimits {
  /** Bytes by which the write-ahead log may grow during the copy. */
  growth: number
  /** Pages of 16 KiB that the first attempt copies before the event loop continues. */
  pagesAtOnce: number
  attempts: number
}

const defaultLimits: SnapshotLimits = { growth: walLimitBytes, pagesAtOnce: 512, attempts: 4 }

/**
 * Copies a snapshot of the database to the new file `target` with SQLite's online backup. Other processes may keep
 * writing: the open read transaction keeps the snapshot, without which each of their commits would restart the copy.
 * The transaction also keeps the write-ahead log from being reused, so once the log has grown too much, the copy starts
 * again with a newer snapshot. Throws DATABASE_UNAVAILABLE if that happens in every attempt.
 */
export async function snapshotDatabase(
  path: string,
  target: string,
  onProgress: (done: number, total: number) => void,
  limits: SnapshotLimits = defaultLimits,
): Promise<void> {
  const connection = openForReading(path, 10_000)
  const maxWalBytes = Math.max(walLimitBytes, walBytes(path)) + limits.growth
  let { pagesAtOnce } = limits
  const copy = (): Promise<unknown> =>
    connection.backup(target, {
      progress({ totalPages, remainingPages }) {
        if (walBytes(path) > maxWalBytes) throw new LogGrownError()
        onProgress(totalPages - remainingPages, totalPages)
        return pagesAtOnce
      },
    })
  try {
    for (let attempt = 0; attempt < limits.attempts; attempt += 1) {
      if (await inSnapshot(connection, copy)) return
      connection.pragma(`busy_timeout = ${truncateWaitMs}`)
      if (!connection.readonly) truncateWal(connection)
      pagesAtOnce *= acceleration
    }
    throw databaseChanging()
  } finally {
    connection.close()
  }
}

class LogGrownError extends Error {
  override readonly name = 'LogGrownError'
}

/** Runs `copy` in a read transaction; false if the write-ahead log grew too much. */
async function inSnapshot(connection: Connection, copy: () => Promise<unknown>): Promise<boolean> {
  connection.exec('BEGIN')
  try {
    connection.pragma('user_version')
    await copy()
    return true
  } catch (error) {
    if (!(error instanceof LogGrownError)) throw error
    return false
  } finally {
    connection.exec('COMMIT')
  }
}
