import type { Connection } from '../../db/database.ts'
import { dataVersionOf } from '../../db/data-version.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** Counters that show changes made by any process. */
export const deskEventsRepository = preparedOnce((connection: Connection) => {
  const topics = connection.prepare<[], { topic: string; n: number }>(
    `SELECT topic, n + iif(topic = 'history', (SELECT coalesce(max(id), 0) FROM history), 0) AS n FROM desk_topics`,
  )

  return {
    dataVersion: dataVersionOf(connection),
    /** The number of changes per topic. */
    countTopics: () => new Map(topics.all().map(({ topic, n }) => [topic, n])),
  }
})
