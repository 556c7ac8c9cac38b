import type { z } from 'zod'
import type { HeldDecision } from '../../../shared/contracts/desk-decisions.ts'
import type { QueueRow, StatusCounts, queueQuerySchema } from '../../../shared/contracts/desk-review.ts'
import { publisherName } from '../../../shared/contracts/people.ts'
import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'
import type { Database } from '../../db/database.ts'
import { reviewQueueRepository } from './review-queue.repository.ts'
import type { QueueDataRow } from './review-queue.repository.ts'
import { fold, queueFilter, queueOrder, queueSearch } from './review-queue.rules.ts'
import type { QueueFilter } from './review-queue.rules.ts'

export interface QueuePage {
  items: QueueRow[]
  total: number
  counts: StatusCounts
}

export interface HeldLookup {
  findHeld(releaseId: number): HeldDecision | null
}

/** Releases as a reviewer works through them. */
export function createReviewQueue(database: Database, held: HeldLookup) {
  const repository = reviewQueueRepository(database.reader)

  const ownersNamed = (term: string): number[] =>
    repository
      .listNames()
      .filter((person) => fold(publisherName(person)).includes(term))
      .map(({ id }) => id)

  return {
    listQueue(query: z.output<typeof queueQuerySchema>): QueuePage {
      database.assertAvailable()
      const counts = toCounts(repository.countByStatus())
      const filter = queueFilter(query.view, query.status)
      if (filter === null) return { items: [], total: 0, counts }
      const search = queueSearch(query.q)
      const owners = search === null ? [] : ownersNamed(search.name)
      const order = queueOrder(query.view, query.sort)
      return {
        items: repository
          .listPage(filter, order, search, owners, query.offset)
          .map((row) => toQueueRow(row, held)),
        total: search === null ? sum(counts, filter) : repository.countFound(filter, search, owners),
        counts,
      }
    },
  }
}

export type ReviewQueue = ReturnType<typeof createReviewQueue>

export function toCounts(rows: readonly { status: ReleaseStatus; n: number }[]): StatusCounts {
  const counts: StatusCounts = { pending: 0, approved: 0, rejected: 0, revoked: 0 }
  for (const { status, n } of rows) counts[status] = n
  return counts
}

function sum(counts: StatusCounts, filter: QueueFilter): number {
  const { pending, approved, rejected, revoked } = counts
  if (filter === 'decided') return approved + rejected + revoked
  return filter === 'all' ? pending + approved + rejected + revoked : counts[filter]
}

function toQueueRow(
  { ownerName, first, errors, warnings, grew, ...row }: QueueDataRow,
  held: HeldLookup,
): QueueRow {
  return {
    ...row,
    publisher: publisherName({ id: row.ownerId, name: ownerName }),
    first: first === 1,
    selfApproved: row.selfApproved === 1,
    checks: errors === null || warnings === null ? null : { errors, warnings, grew: grew === 1 },
    held: row.status === 'pending' ? held.findHeld(row.id) : null,
  }
}
