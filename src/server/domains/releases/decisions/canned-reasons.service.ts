import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { Database } from '../../../db/database.ts'
import { cannedReasonRepository } from './canned-reasons.repository.ts'

/** The templates for review notes, shared by all reviewers. */
export function createCannedReasons(database: Database) {
  const reading = cannedReasonRepository(database.reader)
  const writing = cannedReasonRepository(database.writer)

  return {
    listReasons(): CannedReason[] {
      database.assertAvailable()
      return reading.list()
    },

    /** Returns the saved list. */
    saveReasons(reasons: readonly CannedReason[]): Promise<CannedReason[]> {
      return database.transact(() => {
        writing.replace(reasons)
        return writing.list()
      })
    },
  }
}

export type CannedReasons = ReturnType<typeof createCannedReasons>
