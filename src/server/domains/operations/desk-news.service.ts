import type { News } from '../../../shared/services-messages.ts'
import type { Database } from '../../db/database.ts'
import { deskNewsRepository, projectNewsRepository } from './desk-news.repository.ts'
import type { WaitingRepository } from './desk-news.repository.ts'

const maxListed = 10

interface Seen {
  last: number
  pending: number
}

/** Reports new submissions and alerts since the last call, for the app's notifications. */
export function createDeskNews(database: Database, takeAlerts: () => News['alerts']) {
  const releases = deskNewsRepository(database.reader)
  const projects = projectNewsRepository(database.reader)
  let seen: { releases: Seen; projects: Seen } | null = null

  return {
    /** Null if there is nothing new or the database is unavailable; a later call then reports everything. */
    next(): News | null {
      try {
        const before = seen
        const now = { releases: read(releases), projects: read(projects) }
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

const read = (repository: WaitingRepository<unknown>): Seen => ({
  last: repository.lastId(),
  pending: repository.countPending(),
})

const isSame = (a: Seen, b: Seen): boolean => a.last === b.last && a.pending === b.pending

/** The submissions after `before`; none on the first call. */
function since<Row>(repository: WaitingRepository<Row>, { pending }: Seen, before: Seen | undefined) {
  return {
    pending,
    submitted: before === undefined ? 0 : repository.countAfter(before.last),
    submissions: before === undefined ? [] : repository.listAfter(before.last, maxListed),
  }
}
