import { dataVersionOf } from '../../db/data-version.ts'
import { repository } from '../../db/repository.ts'

/** Counters that show changes made by any process. */
export const deskEventsRepository = repository((sql, connection) => {
  const topics = sql.list<[], { topic: string; n: number }>(
    `SELECT topic, n + iif(topic = 'history', (SELECT coalesce(max(id), 0) FROM history), 0) AS n FROM desk_topics`,
  )

  return {
    dataVersion: dataVersionOf(connection),
    /** The number of changes per topic. */
    countTopics: () => new Map(topics().map(({ topic, n }) => [topic, n])),
  }
})
