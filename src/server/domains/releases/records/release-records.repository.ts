import { repository } from '../../../db/repository.ts'
import type { Provenance } from '../../../../shared/contracts/evidence.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import type { DeprecationRow } from '../maintenance/release-states.repository.ts'
import { trustedPublishersRepository } from '../publishers/trusted-publishers.repository.ts'
import type { RecordedOwner, RecordedPerson, ReleaseRecord } from './release-record.rules.ts'

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
  isPublished: 0 | 1
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

interface OwnerRow {
  person: number
  since: string
  addedBy: number
  reason: string | null
  endedAt: string | null
  endedBy: number | null
}

/** Releases of a person or a name that are read at once. */
const releasesAtOnce = 500

/** Reads what the records contain. */
export const releaseRecordsRepository = repository((sql, connection) => {
  const find = sql.find<[number], RecordRow>(`
    SELECT r.id, r.name, r.version, r.sha256, r.size, r.created_at AS createdAt, m.manifest, ${personColumns}
    FROM releases r JOIN people p ON p.id = r.owner_id LEFT JOIN release_manifests m ON m.release_id = r.id
    WHERE r.id = ?`)
  const listDecisions = sql.list<[number], RecordedDecisionRow>(`
    SELECT d.action, d.reason, d.decided_at AS decidedAt, e.evidence, ${personColumns},
      EXISTS (SELECT 1 FROM published_reasons WHERE decision_id = d.id) AS isPublished
    FROM decisions d JOIN people p ON p.id = d.decided_by LEFT JOIN decision_evidence e ON e.decision_id = d.id
    WHERE d.release_id = ? ORDER BY d.id`)
  const listFirstApprovals = sql.list<[number], RecordedApprovalRow>(`
    SELECT f.reason, f.approved_at AS approvedAt, f.evidence, f.withdrawn_at AS withdrawnAt, ${personColumns}
    FROM first_approvals f JOIN people p ON p.id = f.approved_by WHERE f.release_id = ? ORDER BY f.id`)
  const publishers = trustedPublishersRepository(connection)
  const listDeprecations = sql.list<[number], Omit<DeprecationRow, 'releaseId'>>(`
    SELECT reason, successor, deprecated_by AS deprecatedBy, deprecated_at AS deprecatedAt, withdrawn_by AS withdrawnBy,
      withdrawn_at AS withdrawnAt
    FROM deprecations WHERE release_id = ? ORDER BY id`)
  const findOfDeprecation = sql.listValues<[number], number>(
    'SELECT release_id FROM deprecations WHERE id = ?',
  )
  const findOfFirstApproval = sql.listValues<[number], number>(
    'SELECT release_id FROM first_approvals WHERE id = ?',
  )
  const listOwners = sql.list<[string], OwnerRow>(`
    SELECT person_id AS person, since, added_by AS addedBy, reason, ended_at AS endedAt, ended_by AS endedBy
    FROM name_owners WHERE name = ? ORDER BY id`)
  const findPerson = sql.find<[number], PersonColumns>(`SELECT ${personColumns} FROM people p WHERE p.id = ?`)
  const listSubjects = sql.listValues<[number, number], string>(
    'SELECT subject FROM log_entries WHERE idx >= ? AND idx < ?',
  )
  const findOfDecision = sql.listValues<[number], number>('SELECT release_id FROM decisions WHERE id = ?')
  const listOfPerson = sql.listValues<[{ person: number; after: number }], number>(`
    SELECT id FROM (
      SELECT id FROM releases WHERE owner_id = @person AND id > @after
      UNION SELECT release_id FROM decisions WHERE decided_by = @person AND release_id > @after
      UNION SELECT release_id FROM first_approvals WHERE approved_by = @person AND release_id > @after
      UNION SELECT release_id FROM deprecations WHERE deprecated_by = @person AND release_id > @after
      UNION SELECT release_id FROM deprecations WHERE withdrawn_by = @person AND release_id > @after
      UNION SELECT r.id FROM releases r JOIN name_owners o ON o.name = r.name
        WHERE @person IN (o.person_id, o.added_by, o.ended_by) AND r.owner_id <> @person AND r.id > @after
    ) ORDER BY id LIMIT ${releasesAtOnce}`)
  const listOfOwner = sql.listValues<[{ owner: number; after: number }], number>(`
    SELECT r.id FROM name_owners o JOIN releases r INDEXED BY releases_name ON r.name = o.name
    WHERE o.id = @owner AND r.id > @after ORDER BY r.id LIMIT ${releasesAtOnce}`)
  const findLastChange = sql.count<[{ id: number }]>(`
    SELECT max(idx) FROM log_entries WHERE subject IN (
      SELECT 'releases/' || id FROM releases WHERE id = @id
      UNION ALL SELECT 'release_provenance/' || @id
      UNION ALL SELECT 'decisions/' || id FROM decisions WHERE release_id = @id
      UNION ALL SELECT 'people/' || decided_by FROM decisions WHERE release_id = @id
      UNION ALL SELECT 'first_approvals/' || id FROM first_approvals WHERE release_id = @id
      UNION ALL SELECT 'people/' || approved_by FROM first_approvals WHERE release_id = @id
      UNION ALL SELECT 'deprecations/' || id FROM deprecations WHERE release_id = @id
      UNION ALL SELECT 'people/' || deprecated_by FROM deprecations WHERE release_id = @id
      UNION ALL SELECT 'people/' || withdrawn_by FROM deprecations WHERE release_id = @id
      UNION ALL SELECT 'people/' || owner_id FROM releases WHERE id = @id
      UNION ALL SELECT 'name_owners/' || o.id FROM releases r JOIN name_owners o ON o.name = r.name WHERE r.id = @id
      UNION ALL SELECT 'people/' || p.id FROM releases r JOIN name_owners o ON o.name = r.name
        JOIN people p ON p.id IN (o.person_id, o.added_by, o.ended_by) WHERE r.id = @id)`)

  const getPerson = (id: number): RecordedPerson => {
    const row = findPerson(id)
    if (row === null) throw new Error(`There is no person ${id}`)
    return personOf(row)
  }
  const ownersOf = (name: string): RecordedOwner[] =>
    listOwners(name).map(({ person, addedBy, endedBy, ...owner }) => ({
      person: getPerson(person),
      since: owner.since,
      addedBy: getPerson(addedBy),
      reason: owner.reason,
      endedAt: owner.endedAt,
      endedBy: endedBy === null ? null : getPerson(endedBy),
    }))

  return {
    /** Null if there is no such release, or if it has no manifest. */
    find(releaseId: number): ReleaseRecord | null {
      const row = find(releaseId)
      if (row === null || row.manifest === null) return null
      const { id, name, version, sha256, size, createdAt } = row
      const approvals = listFirstApprovals(id).map((approval) => ({
        reason: approval.reason,
        approvedBy: personOf(approval),
        approvedAt: approval.approvedAt,
        evidence: approval.evidence,
        withdrawnAt: approval.withdrawnAt,
      }))
      const deprecations = listDeprecations(id).map(({ deprecatedBy, withdrawnBy, ...deprecation }) => ({
        ...deprecation,
        deprecatedBy: getPerson(deprecatedBy),
        withdrawnBy: withdrawnBy === null ? null : getPerson(withdrawnBy),
      }))
      const provenance = publishers.findProvenance(id)
      return {
        format: 'skilldock-release',
        formatVersion: 2,
        id,
        name,
        version,
        sha256,
        size,
        createdAt,
        manifest: row.manifest.toString(),
        owner: personOf(row),
        ...(provenance !== null && { provenance: JSON.parse(provenance) as Provenance }),
        ...(approvals.length > 0 && { firstApprovals: approvals }),
        owners: ownersOf(name),
        decisions: listDecisions(id).map((decision) => ({
          action: decision.action,
          reason: decision.reason,
          decidedBy: personOf(decision),
          decidedAt: decision.decidedAt,
          evidence: decision.evidence,
          ...(decision.isPublished === 1 && { publishReason: true as const }),
        })),
        ...(deprecations.length > 0 && { deprecations }),
      }
    },

    exists: sql.exists<[id: number]>('SELECT 1 FROM releases WHERE id = ?'),

    /** In ascending order. */
    listIds: sql.listValues<[after: number, limit: number], number>(
      'SELECT id FROM releases WHERE id > ? ORDER BY id LIMIT ?',
    ),

    /**
     * The releases whose records the entries from `start` to `end` (exclusive) of the transparency log changed, some of
     * them repeatedly. Each step is short, even for a person with thousands of releases.
     */
    *listChanged(start: number, end: number): Generator<number> {
      for (const subject of listSubjects(start, end)) {
        const [table = '', key = ''] = subject.split('/')
        if (table === 'releases' || table === 'release_provenance') yield Number(key)
        if (table === 'decisions') yield* findOfDecision(Number(key))
        if (table === 'deprecations') yield* findOfDeprecation(Number(key))
        if (table === 'first_approvals') yield* findOfFirstApproval(Number(key))
        const list = (after: number): number[] =>
          table === 'people'
            ? listOfPerson({ person: Number(key), after })
            : table === 'name_owners'
              ? listOfOwner({ owner: Number(key), after })
              : []
        for (let page = list(0); page.length > 0; page = list(page.at(-1) ?? 0)) yield* page
      }
    },

    /** The index of the last entry of the transparency log that changed the record of a release. */
    findLastChange: (id: number) => findLastChange({ id }),
  }
})
