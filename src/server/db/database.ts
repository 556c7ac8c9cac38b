import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { databaseUnavailable, isBusy } from './database-errors.ts'
import { openConfigured } from './open.ts'

export type Connection = Sqlite.Database

/** Milliseconds one attempt at the write lock may block the thread. */
const lockAttemptMs = 20

/** Milliseconds that opening may block the thread, which serves nobody yet. */
const openWaitMs = 10_000

export interface DatabaseOptions {
  /** Milliseconds that a write waits for the lock before it is refused. */
  waitMs?: number
}

/**
 * The registry's database: one connection that writes, one that only reads. Every write goes through
 * `transact`; nothing asynchronous can lie inside a transaction.
 */
export interface Database {
  /** For statements inside `transact` only. */
  readonly writer: Connection
  /**
   * For reads outside of transactions. Use `get` and `all`, never `iterate`: an open iterator pins its
   * snapshot and would hide a revocation from the next request.
   */
  readonly reader: Connection
  transact<T>(work: () => NotAPromise<T>): Promise<T>
  /** Throws DATABASE_UNAVAILABLE while the open file is not the file at its path. */
  assertAvailable(): void
  isAvailable(): boolean
  close(): void
}

type NotAPromise<T> = T extends PromiseLike<unknown> ? never : T

/** Opens a database that `initializeDataFolder` has migrated. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  const waitMs = options.waitMs ?? 2000
  const writer = connect(path, false)
  const reader = connect(path, true)
  const identity = fileIdentity(path)
  let present = true
  const watch = setInterval(() => {
    present = fileIdentity(path) === identity
  }, 1000)
  watch.unref()

  const checkPresence = (): void => {
    present = fileIdentity(path) === identity
    if (!present) throw databaseUnavailable()
  }

  /** False where another process holds the write lock. */
  const tryBegin = (mayWait: boolean): boolean => {
    try {
      writer.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (!isBusy(error) || !mayWait) throw error
      return false
    }
  }

  return {
    writer,
    reader,
    async transact<T>(work: () => NotAPromise<T>): Promise<T> {
      checkPresence()
      const deadline = performance.now() + waitMs
      while (!tryBegin(performance.now() < deadline)) await delay(lockAttemptMs)
      // From here to COMMIT nothing is awaited, so no other request can run inside this transaction.
      try {
        const result = work()
        if (isPromiseLike(result)) throw new TypeError('The work of a transaction must be synchronous')
        checkPresence()
        writer.exec('COMMIT')
        return result
      } catch (error) {
        if (writer.inTransaction) writer.exec('ROLLBACK')
        throw error
      }
    },
    assertAvailable() {
      if (!present) throw databaseUnavailable()
    },
    isAvailable: () => present,
    close() {
      clearInterval(watch)
      reader.close()
      writer.close()
    },
  }
}

/**
 * A connection that has read once. Until then it may meet the lock that the last other process takes for a
 * moment as it closes the database; from then on it has its own share of the file, and nobody can take that lock.
 */
function connect(path: string, readonly: boolean): Connection {
  const connection = openConfigured(path, { timeoutMs: openWaitMs, readonly })
  connection.pragma('user_version')
  connection.pragma(`busy_timeout = ${lockAttemptMs}`)
  return connection
}

/** Device and inode of the file at a path, or null where there is none. */
function fileIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}

function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}
