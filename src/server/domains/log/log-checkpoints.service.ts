import type { Database } from '../../db/database.ts'
import { eventLog } from '../../db/log/event-log.ts'
import type { Logger } from '../../operations/logging.ts'
import { logTexts } from '../../operations/log.texts.ts'
import { compareCheckpoint, saveCheckpoint } from '../../storage/log-checkpoint.ts'
import type { LogKey } from '../../storage/log-checkpoint.ts'

export interface CheckpointParts {
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
  let timer: NodeJS.Timeout | undefined

  const update = (): void => {
    try {
      database.assertWritable()
      const size = eventLog(database.reader).readSize()
      if (size === compared.size && performance.now() - compared.at < recheckMs) return
      const found = compareCheckpoint(file, key, database.reader)
      if (found !== null && found !== problem) log.error({ file }, found)
      problem = found
      if (found === null && size !== compared.size) saveCheckpoint(file, key, database.reader)
      compared = { size, at: performance.now() }
    } catch (error) {
      log.warn({ err: error }, logTexts.checkpointNotSaved)
    }
  }

  return {
    /** Why the log is not the one of its saved checkpoint; null if it is. */
    readProblem: () => problem,
    start(): void {
      update()
      timer = setInterval(update, intervalMs)
      timer.unref()
    },
    end(): void {
      clearInterval(timer)
      update()
    },
  }
}

export type Checkpoints = ReturnType<typeof createCheckpoints>
