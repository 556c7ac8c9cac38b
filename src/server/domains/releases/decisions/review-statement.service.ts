import type { Evidence, ReviewStatement } from '../../../../shared/contracts/evidence.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { damaged, readJson } from '../../../db/stored-text.ts'
import { evidenceRepository } from './evidence.repository.ts'
import type { StatementRow } from './evidence.repository.ts'
import { firstApprovalRepository } from './first-approvals.repository.ts'
import type { FirstApprovalRow } from './first-approvals.repository.ts'
import type { Mirror } from '../mirror/mirror.service.ts'
import { texts } from '../releases.texts.ts'

/** A statement whose evidence may be damaged, which is different from having none. */
export interface ReadStatement extends ReviewStatement {
  isEvidenceDamaged: boolean
}

/** Decisions with their evidence. */
export function createReviewStatements(database: Database, mirror: Pick<Mirror, 'findReview'>) {
  const repository = evidenceRepository(database.reader)
  const approvals = firstApprovalRepository(database.reader)

  /** Throws NOT_FOUND unless the release is currently approved. A reviewer without a name stays anonymous. */
  const readReview = (name: string, version: string): ReadStatement => {
    database.assertAvailable()
    const row = repository.findStatement(name, version)
    if (row === null) {
      throw new DomainError('NOT_FOUND', texts.catalog.notApproved(`${name} ${version}`))
    }
    const signed = mirror.findReview(name, version)
    return signed === null
      ? toStatement(row, approvals.find(row.releaseId), publicName)
      : { ...signed, isEvidenceDamaged: false }
  }

  return {
    /** For a page, which reports damaged evidence itself. */
    readReview,

    /** Throws PACKAGE_CORRUPT if the evidence is damaged; leaving it out would claim that none was given. */
    getReview(name: string, version: string): ReviewStatement {
      const { isEvidenceDamaged, ...statement } = readReview(name, version)
      if (isEvidenceDamaged) throw damaged('PACKAGE_CORRUPT', `the review of ${name} ${version}`)
      return statement
    },

    /** For the last decision on a release, for the desk. Null without a decision, or if its evidence is damaged. */
    findLast(releaseId: number): ReviewStatement | null {
      const row = repository.findLastStatement(releaseId)
      if (row === null) return null
      const { isEvidenceDamaged, ...statement } = toStatement(
        row,
        approvals.find(releaseId),
        ({ personName, subject }) => personName ?? subject,
      )
      return isEvidenceDamaged ? null : statement
    },
  }
}

export type ReviewStatements = ReturnType<typeof createReviewStatements>

const publicName: NameOf = ({ personName, personId }) => personName ?? `Reviewer ${personId}`

type NameOf = (person: { personName: string | null; personId: number; subject: string }) => string

function toStatement(row: StatementRow, first: FirstApprovalRow | null, nameOf: NameOf): ReadStatement {
  const { action, reason, decidedAt, sha256 } = row
  const evidence: Evidence | null = readJson('decision_evidence.evidence', row.decisionId, row.evidence)
  const firstEvidence = first === null ? null : readJson('first_approvals.evidence', first.id, first.evidence)
  const provenance = readJson('release_provenance.provenance', row.releaseId, row.provenance)
  return {
    action,
    notes: reason,
    decidedBy: nameOf(row),
    decidedAt,
    sha256,
    selfApproved: row.selfApproved === 1,
    evidence,
    ...(first !== null &&
      action !== 'rejected' && {
        firstApproval: {
          approvedBy: nameOf({ ...first, personId: first.approvedBy }),
          approvedAt: first.approvedAt,
          notes: first.reason,
          evidence: firstEvidence,
        },
      }),
    ...(provenance !== null && { provenance }),
    isEvidenceDamaged:
      (provenance === null && row.provenance !== null) ||
      (evidence === null && row.evidence !== null) ||
      (firstEvidence === null && (first?.evidence ?? null) !== null),
  }
}
