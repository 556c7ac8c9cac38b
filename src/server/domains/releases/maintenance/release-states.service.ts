import type { ReleaseState } from '../../../../shared/contracts/release-states.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { texts } from '../releases.texts.ts'
import { releaseStatesRepository } from './release-states.repository.ts'

/** What has become of releases after their approval. */
export function createReleaseStates(database: Database) {
  const repository = releaseStatesRepository(database.reader)

  return {
    /** Throws NOT_FOUND for a release that was never approved, whose existence is not public. */
    getReleaseState(name: string, version: string): ReleaseState {
      database.assertAvailable()
      const state = repository.find(name, version)
      if (state !== null) return state
      throw new DomainError('NOT_FOUND', texts.catalog.notApproved(`${name} ${version}`))
    },
  }
}

export type ReleaseStates = ReturnType<typeof createReleaseStates>
