import type { Evidence, ReviewStatement } from '../../../../shared/contracts/evidence.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { damaged, readStoredText } from '../../../db/stored-text.ts'
import { evidenceRepository } from './evidence.repository.ts'
import type { StatementRow } from './evidence.repository.ts'

/** A statement of which the evidence may be damaged: then there was some, and nobody can say what. */
export interface ReadStatement extends ReviewStatement {
  isEvidenceDamaged: boolean
}

/** Decisions with what they were made on. */
export function createReviewStatements(database: Database) {
  const repository = evidenceRepository(database.reader)

  /** Throws NOT_FOUND unless the release is approved at this moment. Whoever has no name stays without one. */
  const readReview = (name: string, version: string): ReadStatement => {
    database.assertAvailable()
    const row = repository.findStatement(name, version)
    if (row === null) {
      throw new DomainError('NOT_FOUND', `There is no approved release ${name} ${version}.`)
    }
    return toStatement(row, row.personName ?? `Reviewer ${row.personId}`)
  }

  return {
    /** For a page, which says it where the evidence is damaged. */
    readReview,

    /** Throws PACKAGE_CORRUPT where the evidence is damaged: without it the record would say that none was given. */
    getReview(name: string, version: string): ReviewStatement {
      const { isEvidenceDamaged, ...statement } = readReview(name, version)
      if (isEvidenceDamaged) throw damaged('PACKAGE_CORRUPT', `the review of ${name} ${version}`)
      return statement
    },

    /** Of the last decision on a release, for the desk; null before the first one, and where it is damaged. */
    findLast(releaseId: number): ReviewStatement | null {
      const row = repository.findLastStatement(releaseId)
      if (row === null) return null
      const { isEvidenceDamaged, ...statement } = toStatement(row, row.personName ?? row.subject)
      return isEvidenceDamaged ? null : statement
    },
  }
}

export type ReviewStatements = ReturnType<typeof createReviewStatements>

function toStatement(row: StatementRow, decidedBy: string): ReadStatement {
  const { action, reason, decidedAt, sha256 } = row
  const evidence: Evidence | null = readStoredText(
    'evidence',
    'decision_evidence.evidence',
    row.decisionId,
    row.evidence,
  )
  return {
    action,
    notes: reason,
    decidedBy,
    decidedAt,
    sha256,
    selfApproved: row.selfApproved === 1,
    evidence,
    isEvidenceDamaged: evidence === null && row.evidence !== null,
  }
}
