import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import type { RecordedPerson, ReleaseRecord } from './release-record.rules.ts'

interface PersonColumns {
  personId: number
  issuer: string
  subject: string
  personName: string | null
  personCreatedAt: string
  removedAt: string | null
}

interface RecordRow extends PersonColumns {
  id: number
  name: string
  version: string
  sha256: string
  size: number
  createdAt: string
  manifest: Buffer | null
}

interface RecordedDecisionRow extends PersonColumns {
  action: ReviewAction
  reason: string
  decidedAt: string
  evidence: string | null
}

interface RecordedApprovalRow extends PersonColumns {
  reason: string
  approvedAt: string
  evidence: string | null
  withdrawnAt: string | null
}

const personColumns = `p.id AS personId, p.issuer, p.subject, p.name AS personName, p.created_at AS personCreatedAt,
  p.removed_at AS removedAt`

function personOf(row: PersonColumns): RecordedPerson {
  const { personId: id, issuer, subject, personName: name, personCreatedAt: createdAt, removedAt } = row
  return { id, issuer, subject, name, createdAt, removedAt }
}

/** Releases of a person that are read at once. */
const releasesAtOnce = 500

/** Reads what the records contain. */
export const releaseRecordsRepository = preparedOnce((connection: Connection) => {
  const find = connection.prepare<[number], RecordRow>(
    `SELECT r.id, r.name, r.version, r.sha256, r.size, r.created_at AS createdAt, m.manifest, ${personColumns}
     FROM releases r JOIN people p ON p.id = r.owner_id LEFT JOIN release_manifests m ON m.release_id = r.id
     WHERE r.id = ?`,
  )
  const listDecisions = connection.prepare<[number], RecordedDecisionRow>(
    `SELECT d.action, d.reason, d.decided_at AS decidedAt, e.evidence, ${personColumns}
     FROM decisions d JOIN people p ON p.id = d.decided_by LEFT JOIN decision_evidence e ON e.decision_id = d.id
     WHERE d.release_id = ? ORDER BY d.id`,
  )
  const listFirstApprovals = connection.prepare<[number], RecordedApprovalRow>(
    `SELECT f.reason, f.approved_at AS approvedAt, f.evidence, f.withdrawn_at AS withdrawnAt, ${personColumns}
     FROM first_approvals f JOIN people p ON p.id = f.approved_by WHERE f.release_id = ? ORDER BY f.id`,
  )
  const findOfFirstApproval = connection
    .prepare<[number], number>('SELECT release_id FROM first_approvals WHERE id = ?')
    .pluck()
  const listIds = connection
    .prepare<[number, number], number>('SELECT id FROM releases WHERE id > ? ORDER BY id LIMIT ?')
    .pluck()
  const exists = connection.prepare<[number], number>('SELECT 1 FROM releases WHERE id = ?').pluck()
  const listSubjects = connection
    .prepare<[number, number], string>('SELECT subject FROM log_entries WHERE idx >= ? AND idx < ?')
    .pluck()
  const findOfDecision = connection
    .prepare<[number], number>('SELECT release_id FROM decisions WHERE id = ?')
    .pluck()
  const listOfPerson = connection
    .prepare<[{ person: number; after: number }], number>(
      `SELECT id FROM (
         SELECT id FROM releases WHERE owner_id = @person AND id > @after
         UNION SELECT release_id FROM decisions WHERE decided_by = @person AND release_id > @after
         UNION SELECT release_id FROM first_approvals WHERE approved_by = @person AND release_id > @after
       ) ORDER BY id LIMIT ${releasesAtOnce}`,
    )
    .pluck()
  const findLastChange = connection
    .prepare<[{ id: number }], number>(
      `SELECT max(idx) FROM log_entries WHERE subject IN (
         SELECT 'releases/' || id FROM releases WHERE id = @id
         UNION ALL SELECT 'decisions/' || id FROM decisions WHERE release_id = @id
         UNION ALL SELECT 'people/' || decided_by FROM decisions WHERE release_id = @id
         UNION ALL SELECT 'first_approvals/' || id FROM first_approvals WHERE release_id = @id
         UNION ALL SELECT 'people/' || approved_by FROM first_approvals WHERE release_id = @id
         UNION ALL SELECT 'people/' || owner_id FROM releases WHERE id = @id)`,
    )
    .pluck()

  return {
    /** Null if there is no such release, or if it has no manifest. */
    find(releaseId: number): ReleaseRecord | null {
      const row = find.get(releaseId)
      if (row === undefined || row.manifest === null) return null
      const { id, name, version, sha256, size, createdAt } = row
      const approvals = listFirstApprovals.all(id).map((approval) => ({
        reason: approval.reason,
        approvedBy: personOf(approval),
        approvedAt: approval.approvedAt,
        evidence: approval.evidence,
        withdrawnAt: approval.withdrawnAt,
      }))
      return {
        format: 'skilldock-release',
        formatVersion: 1,
        id,
        name,
        version,
        sha256,
        size,
        createdAt,
        manifest: row.manifest.toString(),
        owner: personOf(row),
        ...(approvals.length > 0 && { firstApprovals: approvals }),
        decisions: listDecisions.all(id).map((decision) => ({
          action: decision.action,
          reason: decision.reason,
          decidedBy: personOf(decision),
          decidedAt: decision.decidedAt,
          evidence: decision.evidence,
        })),
      }
    },

    exists: (id: number) => exists.get(id) !== undefined,

    /** In ascending order. */
    listIds: (after: number, limit: number) => listIds.all(after, limit),

    /**
     * The releases whose records the entries from `start` to `end` (exclusive) of the transparency log changed, some of
     * them repeatedly. Each step is short, even for a person with thousands of releases.
     */
    *listChanged(start: number, end: number): Generator<number> {
      for (const subject of listSubjects.all(start, end)) {
        const [table = '', key = ''] = subject.split('/')
        if (table === 'releases') yield Number(key)
        if (table === 'decisions') yield* findOfDecision.all(Number(key))
        if (table === 'first_approvals') yield* findOfFirstApproval.all(Number(key))
        if (table !== 'people') continue
        const person = Number(key)
        for (let page = listOfPerson.all({ person, after: 0 }); page.length > 0;) {
          yield* page
          page = listOfPerson.all({ person, after: page.at(-1) ?? 0 })
        }
      }
    },

    /** The index of the last entry of the transparency log that changed the record of a release. */
    findLastChange: (id: number) => findLastChange.get({ id }) ?? 0,
  }
})
