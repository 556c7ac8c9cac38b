import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** What tells that something has changed, whichever process has changed it. */
export const deskEventsRepository = preparedOnce((connection: Connection) => {
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const topics = connection.prepare<[], { topic: string; n: number }>('SELECT topic, n FROM desk_topics')

  return {
    /** Changes with every commit of another connection or process; about a microsecond to ask. */
    dataVersion: () => dataVersion.get() ?? 0,
    /** How often each topic has changed. */
    countTopics: () => new Map(topics.all().map(({ topic, n }) => [topic, n])),
  }
})
