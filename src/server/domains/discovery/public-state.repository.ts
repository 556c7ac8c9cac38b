import { dataVersionOf } from '../../db/data-version.ts'
import { repository } from '../../db/repository.ts'

/** Counters that change whenever publicly visible data may have changed. */
export const publicStateRepository = repository((sql, connection) => {
  const counts = sql.findValue<[], string>(`
    SELECT group_concat(n, ' ') FROM (
      SELECT n FROM catalog_generation UNION ALL
      SELECT n FROM desk_topics WHERE topic IN ('content', 'people'))`)

  return {
    dataVersion: dataVersionOf(connection),
    /** Changes whenever public data changes. */
    readCounts: () => counts() ?? '',
  }
})
