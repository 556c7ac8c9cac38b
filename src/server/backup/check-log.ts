import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Connection } from '../db/database.ts'
import { compareCheckpoint, readLogKey } from '../storage/log-checkpoint.ts'
import { isSqliteError } from '../verify/run-checks.ts'
import type { OnProblem } from './progress.ts'

/** Checks that the transparency log continues its saved checkpoint. */
export function checkLog(paths: DataPaths, connection: Connection, onProblem: OnProblem): void {
  try {
    const problem = compareCheckpoint(paths.logCheckpoint, readLogKey(paths.logKey), connection)
    if (problem !== null) onProblem(problem)
  } catch (error) {
    if (isSqliteError(error)) throw error
    onProblem(
      'log-key.json: it is missing or cannot be read; the transparency log cannot be verified without it',
    )
  }
}
