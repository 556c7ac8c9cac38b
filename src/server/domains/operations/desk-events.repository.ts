import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** Counters that show changes made by any process. */
export const deskEventsRepository = preparedOnce((connection: Connection) => {
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const topics = connection.prepare<[], { topic: string; n: number }>('SELECT topic, n FROM desk_topics')

  return {
    /** Changes with every commit by another connection or process. Takes about a microsecond. */
    dataVersion: () => dataVersion.get() ?? 0,
    /** The number of changes per topic. */
    countTopics: () => new Map(topics.all().map(({ topic, n }) => [topic, n])),
  }
})
