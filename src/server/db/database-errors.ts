import Sqlite from 'better-sqlite3'
import { DomainError } from '../../shared/errors.ts'

/** Seconds that a client is asked to wait while the database is away. */
const retryAfterSeconds = 5

const unavailableCodes = /^SQLITE_(BUSY|IOERR|FULL|CORRUPT|READONLY|CANTOPEN|NOTADB|LOCKED|PROTOCOL)/

export function databaseUnavailable(cause?: unknown): DomainError {
  return new DomainError(
    'DATABASE_UNAVAILABLE',
    'The database cannot be reached at the moment; nothing was changed. Try again in a few seconds.',
    { retryAfter: retryAfterSeconds, cause },
  )
}

/** The refusal for an error of SQLite that means "away", or null for any other error (rulings, "503"). */
export function asDatabaseUnavailable(error: unknown): DomainError | null {
  return error instanceof Sqlite.SqliteError && unavailableCodes.test(error.code)
    ? databaseUnavailable(error)
    : null
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
