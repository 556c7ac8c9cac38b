import type { Connection } from '../db/database.ts'
import type { OnProgress } from '../backup/progress.ts'

/** One thing that is wrong, as a sentence without its full stop. */
export interface Problem {
  problem: string
  /** Rebuilds what is wrong from what it derives from; missing where only a backup can help. */
  repair?: () => void
}

export interface CheckContext {
  connection: Connection
  /** An empty database of the same version, made by the migrations of this program. */
  model: Connection
  /** The folder with the images; null where only the database is there. */
  images: string | null
  onProgress: OnProgress
}

/**
 * A named check. It reads in pages, so that memory does not grow with the registry. A problem's `repair` is called
 * before the next problem is asked for, and may change rows of the page that was read.
 */
export interface Check {
  name: string
  find(context: CheckContext): Iterable<Problem>
}

/** Hears of each problem once it is found. */
export type OnFound = (problem: Problem) => void

/**
 * Runs checks one after the other, each on one view of the database while others write to it. A check that SQLite
 * cannot carry out (a table is missing, a page is damaged) is itself a problem.
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
      onFound({ problem: `${check.name}: cannot be checked: ${error.message}` })
    } finally {
      if (begins) connection.exec('COMMIT')
    }
  }
}

export function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}
