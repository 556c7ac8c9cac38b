import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** Counters that change whenever publicly visible data may have changed. */
export const publicStateRepository = preparedOnce((connection: Connection) => {
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const counts = connection
    .prepare<[], string>(
      `SELECT group_concat(n, ' ') FROM (
         SELECT n FROM catalog_generation UNION ALL
         SELECT n FROM desk_topics WHERE topic IN ('content', 'people'))`,
    )
    .pluck()

  return {
    /** Changes with every commit by another connection or process. Takes about a microsecond. */
    dataVersion: () => dataVersion.get() ?? 0,
    /** Changes whenever public data changes. */
    readCounts: () => counts.get() ?? '',
  }
})
