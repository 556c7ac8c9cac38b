import type { Finding } from '../../../../shared/contracts/findings.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { anyValue, repository } from '../../../db/repository.ts'
import { readJson, readNames } from '../../../db/stored-text.ts'
import { memberOf, validJson } from '../../../db/valid-json.ts'

export interface StatementRow {
  decisionId: number
  action: ReviewAction
  reason: string
  personId: number
  personName: string | null
  subject: string
  decidedAt: string
  sha256: string
  /** 0 or 1. */
  selfApproved: number
  /** `Evidence` as JSON. */
  evidence: string | null
  /** `Provenance` as JSON. */
  provenance: string | null
  releaseId: number
}

const statement = `SELECT d.id AS decisionId, r.id AS releaseId, d.action, d.reason, p.id AS personId, p.name AS personName, p.subject,
    d.decided_at AS decidedAt, r.sha256, d.action = 'approved' AND (d.decided_by = r.owner_id OR EXISTS (
      SELECT 1 FROM first_approvals WHERE release_id = r.id AND approved_by = r.owner_id AND withdrawn_at IS NULL
    )) AS selfApproved, e.evidence, v.provenance
  FROM releases r JOIN decisions d ON d.id = r.last_decision JOIN people p ON p.id = d.decided_by
  LEFT JOIN decision_evidence e ON e.decision_id = d.id LEFT JOIN release_provenance v ON v.release_id = r.id`

/** All SQL about the evidence for decisions. */
export const evidenceRepository = repository((sql) => {
  const findImports = sql.findValue<[number], string | null>(
    `SELECT json_extract(${validJson('facts')}, '$.imports') FROM release_modules WHERE release_id = ?`,
  )
  const findApproved = sql.find<[string], { id: number; version: string; imports: string | null }>(`
    SELECT r.id, r.version, json_extract(${validJson('f.facts')}, '$.imports') AS imports
    FROM releases r INDEXED BY releases_latest LEFT JOIN release_modules f ON f.release_id = r.id
    WHERE r.name = ? AND r.status = 'approved' ORDER BY r.id DESC LIMIT 1`)
  const listFindings = sql.listIn<number, { id: number; findings: string }>(`
    SELECT r.id, f.findings FROM releases r JOIN decision_findings f ON f.decision_id = r.last_decision
    WHERE r.id IN (SELECT value FROM json_each(?))`)

  return {
    /** The functions that a release imports; null if they were not recorded. */
    findImports: (releaseId: number) => parseNames(releaseId, findImports(releaseId)),
    /** The most recently submitted approved release of a skill. */
    findApproved(name: string) {
      const row = findApproved(name)
      return row === null ? null : { ...row, imports: parseNames(row.id, row.imports) }
    },
    /** Ids of the checks with open findings. */
    listOpenChecks: sql.listValues<[releaseId: number, name: string], string>(`
      SELECT DISTINCT ${memberOf('check')} FROM release_checks c, json_each(${validJson('c.findings')}) f
      WHERE c.release_id = ? AND f.type = 'object' AND NOT EXISTS (
        SELECT 1 FROM judgements j WHERE j.name = ? AND j.withdrawn_at IS NULL
          AND j.fingerprint = ${memberOf('fingerprint')})`),
    insert: sql.run<[decisionId: number, evidence: string]>(
      'INSERT INTO decision_evidence (decision_id, evidence) VALUES (?, ?)',
    ),
    /** Stores the findings that were open at a decision, which later checks don't change. */
    insertFindings: sql.run<[decisionId: number, findings: string]>(
      'INSERT INTO decision_findings (decision_id, findings) VALUES (?, ?)',
    ),
    /** The findings that were open when each of these releases was rejected. */
    listRejectedFor: (releases: readonly { id: number }[]): Map<number, Finding[]> =>
      new Map(
        listFindings(releases.map(({ id }) => id)).map(({ id, findings }) => [
          id,
          readJson('decision_findings.findings', id, findings) ?? [],
        ]),
      ),
    /** For an approved release. */
    findStatement: sql.find<[name: string, version: string], StatementRow>(
      `${statement} WHERE r.name = ${anyValue} AND r.version = ${anyValue} AND r.status = 'approved'`,
    ),
    /** For the last decision on a release. */
    findLastStatement: sql.find<[releaseId: number], StatementRow>(`${statement} WHERE r.id = ?`),
  }
})

function parseNames(releaseId: number, json: string | null): string[] | null {
  return readNames('release_modules.facts', releaseId, json)
}
