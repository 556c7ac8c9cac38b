import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { databaseUnavailable, isBusy, lockLost } from './database-errors.ts'
import { fileIdentity } from './file-identity.ts'
import type { FileLock } from './file-lock.ts'
import { auditLog } from './log/audit-log.ts'
import { eventLog } from './log/event-log.ts'
import type { StoredEntry } from './log/event-log.ts'
import { assertPermitted } from './log/origin.ts'
import { watchChanges } from './log/watch-changes.ts'
import { openConfigured } from './open.ts'
import { fragmentation, truncateWal, walBytes } from './wal.ts'

export type Connection = Sqlite.Database

/** Milliseconds for which one attempt at the write lock may block the thread. */
const lockAttemptMs = 20

/** Milliseconds for which opening may block the thread, which doesn't serve requests yet. */
const openWaitMs = 10_000

interface DatabaseOptions {
  /** Milliseconds that a write waits for the lock before it is refused. */
  waitMs?: number
  /** Once this lock is lost, all writes are refused, and `onLockLost` is called once. */
  lock?: Pick<FileLock, 'isHeld'>
  onLockLost?(): void
  /** For a process that never writes. */
  readonly?: boolean
}

/**
 * The registry's database, with one connection for writes and one for reads. Every write uses `transact`; a transaction
 * is always synchronous, and adds an entry to the transparency log and the audit log for each row of a logged table that it
 * changed. It fails if the caller of the request has lost the permission that it began with.
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
  /**
   * Calls `follow` after each transaction that added entries to the transparency log, from `start` to `end` (exclusive).
   * `transact` waits for it; it must not throw.
   */
  onLogged(follow: FollowLog): void
  /**
   * Calls `write` inside each transaction that adds entries to the transparency log, before it is committed. If it
   * throws, the transaction fails.
   */
  onLogging(write: (entries: StoredEntry[]) => void): void
  /** Throws DATABASE_UNAVAILABLE while the open file is not the file at its path. */
  assertAvailable(): void
  /** Throws DATABASE_UNAVAILABLE if `transact` would; for writes to other files of the data folder. */
  assertWritable(): void
  /** Whether it can be read and written to, as of the last check, at most a second ago. */
  isAvailable(): boolean
  /** Bytes of the write-ahead log, which grows while a reader keeps an old snapshot. */
  walBytes(): number
  /** The share of pages that are unused, from 0 to 1. */
  fragmentation(): number
  /** Truncates the write-ahead log; false if a reader still needs it. */
  truncateWal(): boolean
  close(): void
}

/** Called with the entries that a transaction added to the transparency log. */
type FollowLog = (start: number, end: number) => Promise<void>

type NotAPromise<T> = T extends PromiseLike<unknown> ? never : T

/** For `waitMs` of a command, which has time to wait for a busy server. */
export const commandWaitMs = 10_000

/** Opens a database that `initializeDataFolder` has migrated. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  const waitMs = options.waitMs ?? 2000
  const reader = connect(path, true)
  const writer = options.readonly ? reader : connect(path, false)
  const changes = options.readonly ? null : watchChanges(writer)
  const identity = fileIdentity(path)
  let present = true
  let isLocked = true
  let follow: FollowLog | null = null
  let writeToo: ((entries: StoredEntry[]) => void) | null = null
  const checkFile = (): void => {
    present = fileIdentity(path) === identity
    if (!isLocked || options.lock?.isHeld() !== false) return
    isLocked = false
    options.onLockLost?.()
  }
  const watch = setInterval(checkFile, 1000)
  watch.unref()

  const assertWritable = (): void => {
    checkFile()
    if (!present) throw databaseUnavailable()
    if (!isLocked) throw lockLost()
  }

  /** False if another process holds the write lock. */
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
      assertWritable()
      const deadline = performance.now() + waitMs
      while (!tryBegin(performance.now() < deadline)) await delay(lockAttemptMs)
      let result: T
      let logged: { start: number; end: number } | null = null
      // Nothing is awaited until COMMIT, so no other request can run inside this transaction.
      try {
        // Sees all that has been committed since the caller was authenticated.
        assertPermitted()
        result = work()
        if (isPromiseLike(result)) throw new TypeError('the work of a transaction must be synchronous')
        const subjects = changes?.take() ?? []
        if (subjects.length > 0) {
          const log = eventLog(writer)
          const start = log.readSize()
          for (const subject of subjects) auditLog(writer).recordRow(subject)
          logged = { start, end: log.readSize() }
          writeToo?.(log.list(logged.start, logged.end))
        }
        assertWritable()
        writer.exec('COMMIT')
      } catch (error) {
        if (writer.inTransaction) writer.exec('ROLLBACK')
        changes?.take()
        throw error
      }
      if (logged !== null && logged.end > logged.start) await follow?.(logged.start, logged.end)
      return result
    },
    onLogged(newFollow) {
      follow = newFollow
    },
    onLogging(write) {
      writeToo = write
    },
    assertAvailable() {
      if (!present) throw databaseUnavailable()
    },
    assertWritable,
    isAvailable: () => present && isLocked,
    walBytes: () => walBytes(path),
    fragmentation: () => fragmentation(reader),
    truncateWal: () => truncateWal(writer),
    close() {
      clearInterval(watch)
      reader.close()
      writer.close()
    },
  }
}

/**
 * A connection that has read once. Before that, it may run into the exclusive lock that the last other process holds
 * for a moment as it closes the database; afterwards it has a shared lock of its own, which prevents that.
 */
function connect(path: string, readonly: boolean): Connection {
  const connection = openConfigured(path, { timeoutMs: openWaitMs, readonly })
  connection.pragma('user_version')
  connection.pragma(`busy_timeout = ${lockAttemptMs}`)
  return connection
}

function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}
