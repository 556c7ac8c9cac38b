import type { Connection } from '../db/database.ts'
import type { OnProgress } from '../backup/progress.ts'

export interface Problem {
  /** A sentence without its full stop. */
  problem: string
  /** Rebuilds the data from its source; missing if only a backup can help. */
  repair?: () => void
}

export interface CheckContext {
  connection: Connection
  /** An empty database of the same version, created by this program's migrations. */
  model: Connection
  /** The folder with the images; null if only the database is available. */
  images: string | null
  onProgress: OnProgress
}

/**
 * A named check. It reads in pages, so that memory does not grow with the registry. A problem's `repair` is called
 * before the next problem is requested, and may change rows of the page already read.
 */
export interface Check {
  name: string
  find(context: CheckContext): Iterable<Problem>
}

/** Called with each problem. */
export type OnFound = (problem: Problem) => void

/**
 * Runs checks one after the other, each on a consistent view of the database while others write to it. A check that
 * fails in SQLite (a table is missing, a page is damaged) is itself a problem.
 */
export function runChecks(checks: readonly Check[], context: CheckContext, onFound: OnFound): void {
  const { connection } = context
  for (const check of checks) {
    const begins = !connection.inTransaction
    if (begins) connection.exec('BEGIN')
    try {
      for (const problem of check.find(context)) onFound(problem)
    } catch (error) {
      if (!isSqliteError(error)) throw error
      onFound({ problem: `${check.name}: could not be checked: ${error.message}` })
    } finally {
      if (begins) connection.exec('COMMIT')
    }
  }
}

export function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}
