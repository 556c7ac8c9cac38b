import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** What tells that the public may see something else now. */
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
    /** Changes with every commit of another connection or process; about a microsecond to ask. */
    dataVersion: () => dataVersion.get() ?? 0,
    /** Differs once something that is public has changed. */
    readCounts: () => counts.get() ?? '',
  }
})
