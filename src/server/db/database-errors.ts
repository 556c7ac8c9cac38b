import Sqlite from 'better-sqlite3'
import { DomainError } from '../../shared/errors.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'

/** Seconds that a client is asked to wait while the database is unavailable. */
const retryAfterSeconds = 5

const unavailableCodes = /^SQLITE_(BUSY|IOERR|FULL|CORRUPT|READONLY|CANTOPEN|NOTADB|LOCKED|PROTOCOL)/

export function databaseUnavailable(cause?: unknown): DomainError {
  return new DomainError('DATABASE_UNAVAILABLE', unavailableTexts.database, {
    retryAfter: retryAfterSeconds,
    cause,
  })
}

/** The error of a server whose lock on the data folder was removed; only a restart can acquire it again. */
export function lockLost(): DomainError {
  return new DomainError('DATABASE_UNAVAILABLE', unavailableTexts.lockLost, { retryAfter: retryAfterSeconds })
}

/** DATABASE_UNAVAILABLE for an SQLite error that means the database is unavailable, otherwise null (rulings, "503"). */
export function asDatabaseUnavailable(error: unknown): DomainError | null {
  return error instanceof Sqlite.SqliteError && unavailableCodes.test(error.code)
    ? databaseUnavailable(error)
    : null
}

/** The error of a copy that a busy server kept overtaking. */
export function databaseChanging(): DomainError {
  return new DomainError('DATABASE_UNAVAILABLE', unavailableTexts.changing, { retryAfter: retryAfterSeconds })
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
