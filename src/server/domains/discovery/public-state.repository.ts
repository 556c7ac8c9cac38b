import type { Connection } from '../../db/database.ts'
import { dataVersionOf } from '../../db/data-version.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** Counters that change whenever publicly visible data may have changed. */
export const publicStateRepository = preparedOnce((connection: Connection) => {
  const counts = connection
    .prepare<[], string>(
      `SELECT group_concat(n, ' ') FROM (
         SELECT n FROM catalog_generation UNION ALL
         SELECT n FROM desk_topics WHERE topic IN ('content', 'people'))`,
    )
    .pluck()

  return {
    dataVersion: dataVersionOf(connection),
    /** Changes whenever public data changes. */
    readCounts: () => counts.get() ?? '',
  }
})
