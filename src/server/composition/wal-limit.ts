import type { Database } from '../db/database.ts'
import { walLimitBytes } from '../db/wal.ts'
import type { Logger } from '../operations/logging.ts'
import { logTexts } from '../operations/log.texts.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import type { RecurringTask } from '../operations/recurring-task.ts'

const everyMs = 30_000

/**
 * Truncates the write-ahead log once it is too large, which SQLite itself does only when something is written. Logs
 * when another process's open read transaction prevents it, and when that has ended.
 */
export function createWalLimit(
  database: Pick<Database, 'walBytes' | 'truncateWal'>,
  log: Pick<Logger, 'info' | 'warn'>,
  interval = everyMs,
): RecurringTask {
  let isPinned = false
  const truncate = async (): Promise<void> => {
    try {
      const bytes = database.walBytes()
      const wasPinned = isPinned
      isPinned = bytes > walLimitBytes && !database.truncateWal()
      if (isPinned && !wasPinned) log.warn({ bytes }, logTexts.walPinned)
      if (!isPinned && wasPinned) log.info({ bytes: database.walBytes() }, logTexts.walTruncated)
    } catch (error) {
      log.warn({ err: error }, logTexts.walNotTruncated)
    }
  }
  return createRecurringTask(truncate, { firstMs: interval, everyMs: interval })
}
