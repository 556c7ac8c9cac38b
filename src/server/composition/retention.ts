import type { Database } from '../db/database.ts'
import { createAccessRetention } from '../domains/identity/access-retention.service.ts'
import type { Deliveries } from '../domains/notifications/deliveries.service.ts'
import type { Logger } from '../operations/logging.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import type { RecurringTask } from '../operations/recurring-task.ts'
import { logTexts } from '../operations/log.texts.ts'

/** Milliseconds. After boot, a computer's clock may be wrong for a few minutes. */
const firstMs = 10 * 60_000
const everyMs = 3_600_000

/** Removes records of tokens, sessions, sign-in codes and deliveries after some time (docs/API.md, "Retention"). */
export function createRetention(
  database: Database,
  deliveries: Pick<Deliveries, 'purge'>,
  log: Logger,
): RecurringTask {
  const retention = createAccessRetention(database)
  const purge = async (): Promise<void> => {
    try {
      const purged = { ...(await retention.purge()), deliveries: await deliveries.purge() }
      if (Object.values(purged).some((count) => count > 0)) {
        log.info(purged, logTexts.recordsRemoved)
      }
    } catch (error) {
      log.warn({ err: error }, logTexts.recordsNotRemoved)
    }
  }
  return createRecurringTask(purge, { firstMs, everyMs })
}
