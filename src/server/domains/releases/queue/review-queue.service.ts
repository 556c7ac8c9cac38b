import type { z } from 'zod'
import { deskPageSize } from '../../../../shared/list-page.ts'
import type { QueueRow, StatusCounts, queueQuerySchema } from '../../../../shared/contracts/desk-review.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Database } from '../../../db/database.ts'
import type { WalkedList } from '../catalog/list-walks.service.ts'
import type { HeldDecisions } from '../decisions/held-decisions.service.ts'
import { reviewQueueRepository } from './review-queue.repository.ts'
import type { QueueDataRow } from './review-queue.repository.ts'
import { intersect, queueFilter, queueOrder, queueSearch } from './review-queue.rules.ts'
import type { QueueFilter, QueueMatch, QueueOrder } from './review-queue.rules.ts'
import type { Threads } from '../thread/thread.service.ts'
import { createReviewWalks, toStep } from './review-walks.service.ts'

interface QueuePage {
  items: QueueRow[]
  total: number
  counts: StatusCounts
}

type Held = Pick<HeldDecisions, 'findHeld'>

/** The review queue. */
export function createReviewQueue(database: Database, held: Held, threads: Pick<Threads, 'summarize'>) {
  const repository = reviewQueueRepository(database.reader)
  const walks = createReviewWalks(database)

  const listOf = (filter: QueueFilter, order: QueueOrder): WalkedList => ({
    key: `${filter} ${order}`,
    step: (after, candidates) =>
      toStep(repository.listIds(filter, order, after, candidates), candidates, null),
  })

  /** The matching releases, newest first. For `decided` this includes pending ones, which `intersect` removes later. */
  const foundBy = (matches: QueueMatch, filter: QueueFilter, q = ''): WalkedList => {
    const scope = filter === 'decided' ? 'all' : filter
    return {
      key: `${scope} search ${q}`,
      step: (after, candidates) =>
        toStep(repository.listCandidates(scope, after, candidates), candidates, (row) =>
          matches({ ...row, publisher: publisherOf(row) }),
        ),
    }
  }

  const toRows = (ids: readonly number[]): QueueRow[] => {
    const rows = repository.listByIds(ids)
    const summaries = threads.summarize(rows)
    return rows.map((row) => toQueueRow(row, held, summaries.get(row.id) ?? null))
  }

  return {
    async listQueue({
      view,
      status,
      sort,
      thread,
      q,
      offset,
    }: z.output<typeof queueQuerySchema>): Promise<QueuePage> {
      database.assertAvailable()
      const filter = queueFilter(view, status)
      if (filter === null) return { items: [], total: 0, counts: repository.countByStatus() }
      const matches = queueSearch(q)
      const order = queueOrder(view, sort)
      const list = listOf(filter, order)
      let found: number[] | null = null
      if (thread !== undefined) {
        // Pending releases with messages are few, so they are all read.
        found =
          filter === 'pending' || filter === 'all'
            ? repository
                .listInThread(thread, order)
                .filter((row) => matches?.({ ...row, publisher: publisherOf(row) }) ?? true)
                .map(({ id }) => id)
            : []
      } else if (matches !== null) {
        const any = await walks.find(foundBy(matches, filter, q))
        found = intersect(await walks.find(list), any)
      }
      const ids =
        found?.slice(offset, offset + deskPageSize) ?? (await walks.find(list, offset, deskPageSize))
      const counts = repository.countByStatus()
      return {
        items: toRows(ids),
        total: found?.length ?? sum(counts, filter),
        counts,
      }
    },
  }
}

export type ReviewQueue = ReturnType<typeof createReviewQueue>

function sum(counts: StatusCounts, filter: QueueFilter): number {
  const { pending, approved, rejected, revoked } = counts
  if (filter === 'decided') return approved + rejected + revoked
  return filter === 'all' ? pending + approved + rejected + revoked : counts[filter]
}

function toQueueRow(
  { ownerId, ownerName, first, errors, warnings, grew, ...row }: QueueDataRow,
  held: Held,
  thread: QueueRow['thread'],
): QueueRow {
  return {
    ...row,
    publisher: publisherOf({ ownerId, ownerName }),
    first: first === 1,
    selfApproved: row.selfApproved === 1,
    checks: errors === null || warnings === null ? null : { errors, warnings, grew: grew === 1 },
    held: row.status === 'pending' ? held.findHeld(row.id) : null,
    thread,
  }
}

const publisherOf = ({ ownerId, ownerName }: Pick<QueueDataRow, 'ownerId' | 'ownerName'>): string =>
  publisherName({ id: ownerId, name: ownerName })
