import type { News } from '../../../shared/services-messages.ts'
import type { Database } from '../../db/database.ts'
import { createDeskNewsRepository } from './desk-news.repository.ts'

const submissionsAtOnce = 10

/** Tells what is new since the last time; nothing where nothing of it has changed. */
export function createDeskNews(database: Database) {
  const repository = createDeskNewsRepository(database.reader)
  let seen: { last: number; pending: number } | null = null

  return {
    /** Null where there is nothing to tell, and while the database is away: the next change tells of it all. */
    next(): News | null {
      try {
        const now = { last: repository.lastId(), pending: repository.countPending() }
        const before = seen
        if (before !== null && before.last === now.last && before.pending === now.pending) return null
        const news: News = {
          pending: now.pending,
          submitted: before === null ? 0 : repository.countAfter(before.last),
          submissions: before === null ? [] : repository.listAfter(before.last, submissionsAtOnce),
          alerts: [],
        }
        seen = now
        return news
      } catch {
        return null
      }
    },
  }
}

export type DeskNews = ReturnType<typeof createDeskNews>
