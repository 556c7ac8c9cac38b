import { deskPageSize } from '../../../../shared/list-page.ts'
import type { Decision } from '../../../../shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { repository } from '../../../db/repository.ts'

export interface ReleaseDetailsRow {
  id: number
  name: string
  version: string
  status: ReleaseStatus
  sha256: string
  size: number
  createdAt: string
  reviewReason: string | null
  manifest: Buffer
  facts: string | null
  ownerId: number
  ownerName: string | null
  ownerCreatedAt: string
}

interface SiblingRow {
  id: number
  version: string
  status: ReleaseStatus
  createdAt: string
}

type OwnerReleaseRow = Pick<ReleaseDetailsRow, 'id' | 'name' | 'version' | 'status'>

/** Maximum number of decided releases listed for an owner. */
const shownDecided = 12

/** Maximum number of other releases listed for a name; the queue finds the rest. */
const shownSiblings = 100

type DecisionRow = Omit<Decision, 'evidence'> & { evidence: number }

const decisions = `SELECT d.id, d.release_id AS releaseId, r.name, r.version, d.action, d.reason,
    coalesce(p.name, p.subject) AS decidedBy, d.decided_at AS decidedAt,
    e.decision_id IS NOT NULL AS evidence
  FROM decisions d JOIN releases r ON r.id = d.release_id JOIN people p ON p.id = d.decided_by
  LEFT JOIN decision_evidence e ON e.decision_id = d.id`

/** All SQL about the details of a release and its decisions. */
export const releaseDetailsRepository = repository((sql) => {
  const historyOf = sql.list<[number], DecisionRow>(`${decisions} WHERE d.release_id = ? ORDER BY d.id DESC`)
  const listDecisionsBy = sql.list<[number], DecisionRow>(
    `${decisions} WHERE d.decided_by = ? ORDER BY d.id DESC LIMIT ${deskPageSize}`,
  )

  return {
    findRelease: sql.find<[id: number], ReleaseDetailsRow>(`
      SELECT r.id, r.name, r.version, r.status, r.sha256, r.size, r.created_at AS createdAt,
        r.review_reason AS reviewReason, m.manifest, f.facts, o.id AS ownerId, o.name AS ownerName,
        o.created_at AS ownerCreatedAt
      FROM releases r JOIN release_manifests m ON m.release_id = r.id JOIN people o ON o.id = r.owner_id
      LEFT JOIN release_modules f ON f.release_id = r.id WHERE r.id = ?`),
    countOfOwner: sql.list<[ownerId: number], { status: ReleaseStatus; n: number }>(
      'SELECT status, count(*) AS n FROM releases WHERE owner_id = ? GROUP BY status',
    ),
    /** The owner's most recently decided releases. */
    listDecided: sql.list<[ownerId: number], OwnerReleaseRow>(`
      SELECT id, name, version, status FROM releases INDEXED BY releases_owner_decided
      WHERE owner_id = ? AND last_decision IS NOT NULL ORDER BY last_decision DESC LIMIT ${shownDecided}`),
    listSiblings: sql.list<[name: string, id: number], SiblingRow>(`
      SELECT id, version, status, created_at AS createdAt FROM releases INDEXED BY releases_name
      WHERE name = ? AND id <> ? ORDER BY id DESC LIMIT ${shownSiblings}`),
    historyOf: (id: number) => historyOf(id).map(toDecision),
    /** A person's latest decisions, newest first. */
    listDecisionsBy: (personId: number) => listDecisionsBy(personId).map(toDecision),
  }
})

function toDecision(row: DecisionRow): Decision {
  return { ...row, evidence: row.evidence === 1 }
}
