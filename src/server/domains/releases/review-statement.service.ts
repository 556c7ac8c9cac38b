import type { Evidence, ReviewStatement } from '../../../shared/contracts/evidence.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { createEvidenceRepository } from './evidence.repository.ts'
import type { StatementRow } from './evidence.repository.ts'

/** Decisions with what they were made on. */
export function createReviewStatements(database: Database) {
  const repository = createEvidenceRepository(database.reader)

  return {
    /** Throws NOT_FOUND unless the release is approved at this moment. Whoever has no name stays without one. */
    getReview(name: string, version: string): ReviewStatement {
      database.assertAvailable()
      const row = repository.findStatement(name, version)
      if (row === null) {
        throw new DomainError('NOT_FOUND', `There is no approved release ${name} ${version}.`)
      }
      return toStatement(row, row.personName ?? `Reviewer ${row.personId}`)
    },

    /** Of the last decision on a release, for the desk; null before the first one. */
    findLast(releaseId: number): ReviewStatement | null {
      const row = repository.findLastStatement(releaseId)
      return row === null ? null : toStatement(row, row.personName ?? row.subject)
    },
  }
}

export type ReviewStatements = ReturnType<typeof createReviewStatements>

function toStatement(row: StatementRow, decidedBy: string): ReviewStatement {
  const { action, notes, decidedAt, sha256, evidence } = row
  return {
    action,
    notes,
    decidedBy,
    decidedAt,
    sha256,
    selfApproved: row.selfApproved === 1,
    evidence: evidence === null ? null : (JSON.parse(evidence) as Evidence),
  }
}
