import type { OwnRelease } from '../../../shared/contracts/desk-own.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import type { Database } from '../../db/database.ts'
import { createDeskOwnRepository } from './desk-own.repository.ts'
import { createDeskQueueRepository } from './desk-queue.repository.ts'

/** What a signed-in person sees of their own releases. */
export function createDeskOwn(database: Database) {
  const repository = createDeskOwnRepository(database.reader)
  const queue = createDeskQueueRepository(database.reader)

  return {
    listOwn(person: Person, offset: number): { items: OwnRelease[]; total: number } {
      database.assertAvailable()
      const items = repository.listOwn(person.id, offset).map((row) => ({
        ...row,
        place: row.status === 'pending' ? queue.placeOf(row.id) : null,
        waiting: 0,
        findings: [],
      }))
      return { items, total: repository.countOwn(person.id) }
    },
  }
}

export type DeskOwn = ReturnType<typeof createDeskOwn>
