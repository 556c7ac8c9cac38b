import type { LostDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { heldDecisionRepository } from './held-decisions.repository.ts'
import { texts } from '../releases.texts.ts'

/** Held decisions that did not take effect, for the reviewer who made them. */
export function createLostDecisions(database: Database) {
  const reading = heldDecisionRepository(database.reader)
  const writing = heldDecisionRepository(database.writer)

  return {
    listLostDecisions(reviewer: Reviewer): LostDecision[] {
      database.assertAvailable()
      return reading.listLost(reviewer.id)
    },

    /** Throws NOT_FOUND, including for another reviewer's decision or one that was already dismissed. */
    dismissLostDecision(reviewer: Reviewer, id: number): Promise<void> {
      return database.transact(() => {
        if (writing.dismissLost({ id, personId: reviewer.id, at: new Date().toISOString() })) return
        throw new DomainError('NOT_FOUND', texts.decisions.noLost(id))
      })
    },
  }
}

export type LostDecisions = ReturnType<typeof createLostDecisions>
