import type { LostDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { Administrator } from '../../../../shared/contracts/people.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { heldDecisionRepository } from './held-decisions.repository.ts'

/** Decisions that were held and not carried out, each told to whoever had made it. */
export function createLostDecisions(database: Database) {
  const reading = heldDecisionRepository(database.reader)
  const writing = heldDecisionRepository(database.writer)

  return {
    listLostDecisions(administrator: Administrator): LostDecision[] {
      database.assertAvailable()
      return reading.listLost(administrator.id)
    },

    /** Throws NOT_FOUND for another's, and for one that was dismissed before. */
    dismissLostDecision(administrator: Administrator, id: number): Promise<void> {
      return database.transact(() => {
        if (writing.dismissLost(id, administrator.id, new Date().toISOString())) return
        throw new DomainError('NOT_FOUND', `You have no decision with the number ${id} to be told of.`)
      })
    },
  }
}

export type LostDecisions = ReturnType<typeof createLostDecisions>
