import type { Database } from '../../db/database.ts'
import { eventLog } from '../../db/log/event-log.ts'
import type { Logger } from '../../operations/logging.ts'
import { logTexts } from '../../operations/log.texts.ts'
import { createRecurringTask } from '../../operations/recurring-task.ts'
import { compareCheckpoint, saveCheckpoint } from '../../storage/log-checkpoint.ts'
import type { LogKey } from '../../storage/log-checkpoint.ts'

interface CheckpointParts {
  database: Database
  key: LogKey
  /** The file with the last checkpoint. */
  file: string
  log: Logger
  /** Milliseconds between two looks at the log. */
  intervalMs?: number
}

/** Milliseconds after which a log without new entries is compared again. */
const recheckMs = 3_600_000

/**
 * Saves a checkpoint of the transparency log soon after it has grown, so that entries can't be removed or changed
 * unnoticed. A checkpoint that the log does not continue is kept and reported.
 */
export function createCheckpoints({ database, key, file, log, intervalMs = 1000 }: CheckpointParts) {
  let compared = { size: -1, at: 0 }
  let problem: string | null = null

  const update = async (): Promise<void> => {
    try {
      database.assertWritable()
      const size = eventLog(database.reader).readSize()
      if (size === compared.size && performance.now() - compared.at < recheckMs) return
      const found = compareCheckpoint(file, key, database.reader)
      if (found !== null && found !== problem) log.error({ file }, found)
      problem = found
      if (found === null && size !== compared.size) await saveCheckpoint(file, key, database.reader)
      compared = { size, at: performance.now() }
    } catch (error) {
      log.warn({ err: error }, logTexts.checkpointNotSaved)
    }
  }

  const updates = createRecurringTask(update, { firstMs: 0, everyMs: intervalMs })
  return {
    /** Why the log is not the one of its saved checkpoint; null if it is. */
    readProblem: () => problem,
    start: updates.start,
    async end(): Promise<void> {
      await updates.end()
      await update()
    },
  }
}

export type Checkpoints = ReturnType<typeof createCheckpoints>
