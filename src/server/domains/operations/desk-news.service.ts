import type { News } from '../../../shared/services-messages.ts'
import type { Database } from '../../db/database.ts'
import { deskNewsRepository, projectNewsRepository } from './desk-news.repository.ts'
import type { WaitingRepository } from './desk-news.repository.ts'

const submissionsAtOnce = 10

interface Seen {
  last: number
  pending: number
}

/** Tells what is new since the last time; nothing where nothing of it has changed. */
export function createDeskNews(database: Database, takeAlerts: () => News['alerts']) {
  const releases = deskNewsRepository(database.reader)
  const projects = projectNewsRepository(database.reader)
  let seen: { releases: Seen; projects: Seen } | null = null

  return {
    /** Null where there is nothing to tell, and while the database is away: the next change tells of it all. */
    next(): News | null {
      try {
        const before = seen
        const now = { releases: look(releases), projects: look(projects) }
        const alerts = takeAlerts()
        if (
          alerts.length === 0 &&
          before !== null &&
          isSame(before.releases, now.releases) &&
          isSame(before.projects, now.projects)
        ) {
          return null
        }
        const news: News = {
          ...since(releases, now.releases, before?.releases),
          projects: since(projects, now.projects, before?.projects),
          alerts,
        }
        seen = now
        return news
      } catch {
        return null
      }
    },
  }
}

const look = (repository: WaitingRepository<unknown>): Seen => ({
  last: repository.lastId(),
  pending: repository.countPending(),
})

const isSame = (a: Seen, b: Seen): boolean => a.last === b.last && a.pending === b.pending

/** What came after `before`; nothing where nothing was seen before. */
function since<Row>(repository: WaitingRepository<Row>, { pending }: Seen, before: Seen | undefined) {
  return {
    pending,
    submitted: before === undefined ? 0 : repository.countAfter(before.last),
    submissions: before === undefined ? [] : repository.listAfter(before.last, submissionsAtOnce),
  }
}
