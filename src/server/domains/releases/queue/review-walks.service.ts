import type { Database } from '../../../db/database.ts'
import { releaseHistoryRepository } from '../history/release-history.repository.ts'
import { createListWalks } from '../catalog/list-walks.service.ts'
import type { WalkedList } from '../catalog/list-walks.service.ts'
import type { WalkStep } from '../catalog/walk-steps.repository.ts'

/** Reviewers are few and trusted, so the number of their walks is not limited. */
const unlimited = { take: () => () => {} }

/** Walks through the lists for reviewers: releases in any status, and the audit log. */
export function createReviewWalks(database: Database) {
  const repository = releaseHistoryRepository(database.reader)
  const walks = createListWalks(() => {
    database.assertAvailable()
    return repository.listGeneration()
  }, unlimited)

  return {
    /** The whole list by default. Throws TOO_MANY_REQUESTS if it changes faster than it can be read. */
    find: (list: WalkedList, offset = 0, limit = Infinity): number[] | Promise<number[]> =>
      walks.find(list, 'administrators', offset, limit),
  }
}

/** The step for rows read with `limit`. `isFound` is null if every row belongs to the list. */
export function toStep<Row extends { id: number }>(
  rows: readonly Row[],
  limit: number,
  isFound: ((row: Row) => boolean) | null,
): WalkStep {
  const found = isFound === null ? rows : rows.filter(isFound)
  return { ids: found.map(({ id }) => id), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
}
