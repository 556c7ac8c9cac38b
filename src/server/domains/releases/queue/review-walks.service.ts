import type { Database } from '../../../db/database.ts'
import { decisionHistoryRepository } from '../history/decision-history.repository.ts'
import { createListWalks } from '../catalog/list-walks.service.ts'
import type { WalkedList, WalkStep } from '../catalog/list-walks.service.ts'

/** Administrators are few and known: their walks share the steps of the event loop, and none is refused. */
const unlimited = { take: () => () => {} }

/** Walks through what administrators list: releases in any status, and their history. */
export function createReviewWalks(database: Database) {
  const repository = decisionHistoryRepository(database.reader)
  const walks = createListWalks(() => {
    database.assertAvailable()
    return repository.listGeneration()
  }, unlimited)

  return {
    /** The whole list unless told otherwise. Throws TOO_MANY_REQUESTS while it changes faster than it is read. */
    find: (list: WalkedList, offset = 0, limit = Infinity): number[] | Promise<number[]> =>
      walks.find(list, 'administrators', offset, limit),
  }
}

/** The step that has read these rows, at most `limit`; `isFound` is null where every row belongs to the list. */
export function toStep<Row extends { id: number }>(
  rows: readonly Row[],
  limit: number,
  isFound: ((row: Row) => boolean) | null,
): WalkStep {
  const found = isFound === null ? rows : rows.filter(isFound)
  return { ids: found.map(({ id }) => id), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
}
