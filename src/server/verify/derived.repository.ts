import type { AuditKind, LogType } from '../../shared/audit-kinds.texts.ts'
import type { StoredEntry } from '../db/log/event-log.ts'
import { repository } from '../db/repository.ts'
import { validJson } from '../db/valid-json.ts'

interface WrongName {
  name: string
  skeleton: string | null
  isOwnerOfFirst: number
  hasOwner: number
  hasRightApproval: number
}

export interface HistoryRow {
  at: string
  kind: string
  personId: number
  releaseId: number
  ref: number | null
}

interface AuditedRow {
  id: number
  kind: AuditKind
  personId: number | null
  entry: number | null
  /** The type of the entry; null if the event refers to no entry. */
  type: LogType | null
  /** JSON; null in entries from before it was recorded. */
  by: string | null
}

/** Releases after `after`, up to and including `last`. */
interface Range {
  after: number
  last: number
}

export interface EvidenceRow {
  id: number
  name: string
  version: string
  sha256: string
  manifest: Uint8Array
  evidence: string
}

const approvals = `SELECT d.id, d.decided_at FROM releases r JOIN decisions d ON d.release_id = r.id
  WHERE r.name = n.name AND d.action = 'approved'`

/** Events of releases in a range, from the rows that the history derives from. */
const events = `SELECT created_at AS at, 'submitted' AS kind, owner_id AS personId, id AS releaseId, NULL AS ref
    FROM releases WHERE id > @after AND id <= @last
  UNION ALL SELECT decided_at, action, decided_by, release_id, id
    FROM decisions WHERE release_id > @after AND release_id <= @last
  UNION ALL SELECT judged_at, 'judged', judged_by, release_id, id
    FROM judgements WHERE release_id > @after AND release_id <= @last
  UNION ALL SELECT withdrawn_at, 'withdrawn', withdrawn_by, release_id, id
    FROM judgements WHERE release_id > @after AND release_id <= @last AND withdrawn_at IS NOT NULL`
/** Other events of releases are compared with the transparency log only. */
const entries = `SELECT at, kind, person_id AS personId, release_id AS releaseId, ref
  FROM history INDEXED BY history_release WHERE release_id > @after AND release_id <= @last
    AND kind IN ('submitted', 'approved', 'rejected', 'revoked', 'judged', 'withdrawn')`

// All SQL for checks of derived rows. Each check has its own, so that a missing table affects only those that read it.

export const nameCheckRepository = repository((sql) => ({
  /** Names with the data derived from their releases. */
  listNames: sql.list<[after: string, limit: number], WrongName>(`
    SELECT n.name, n.skeleton,
      n.owner_id IS (SELECT owner_id FROM releases r WHERE r.name = n.name ORDER BY id LIMIT 1) AS isOwnerOfFirst,
      EXISTS (SELECT 1 FROM name_owners WHERE name = n.name AND ended_at IS NULL) AS hasOwner,
      n.first_approved_at IS (SELECT decided_at FROM (${approvals}) ORDER BY id LIMIT 1)
        OR n.first_approved_at IS (SELECT min(decided_at) FROM (${approvals})) AS hasRightApproval
    FROM skill_names n WHERE n.name > ? ORDER BY n.name LIMIT ?`),
  saveSkeleton: sql.run<[skeleton: string, name: string]>(
    'UPDATE skill_names SET skeleton = ? WHERE name = ?',
  ),
  noteFirstApproval: sql.run<[name: string]>(`
    UPDATE skill_names AS n SET first_approved_at = (SELECT decided_at FROM (${approvals}) ORDER BY id LIMIT 1)
    WHERE n.name = ?`),
}))

export const historyCheckRepository = repository((sql) => ({
  /** Events that the history doesn't have, or has with other details. */
  listUnrecordedEvents: sql.list<[range: Range], HistoryRow>(
    `SELECT * FROM (${events}) EXCEPT ${entries} ORDER BY at`,
  ),
  /** Entries of the history without a matching row. */
  listUnmatchedEntries: sql.list<[range: Range], HistoryRow>(
    `${entries} EXCEPT SELECT * FROM (${events}) ORDER BY at`,
  ),
  insertHistory: sql.run<[row: HistoryRow]>(`
    INSERT INTO history (at, kind, person_id, name, release_id, ref, entry)
    SELECT @at, @kind, @personId, name, id, @ref, (SELECT min(idx) FROM log_entries
      WHERE subject = CASE WHEN @ref IS NULL THEN 'releases/' || @releaseId
          WHEN @kind IN ('judged', 'withdrawn') THEN 'judgements/' || @ref ELSE 'decisions/' || @ref END
        AND (@kind <> 'withdrawn' OR ${validJson('entry')} ->> '$.type' = 'dismissal.withdrawn'))
    FROM releases WHERE id = @releaseId`),
  lastReleaseId: sql.count<[]>('SELECT max(id) FROM releases'),
}))

export const auditLogCheckRepository = repository((sql) => ({
  /** Events of the audit log with the entries of the transparency log that they refer to. */
  listAudited: sql.list<[after: number, limit: number], AuditedRow>(`
    SELECT h.id, h.kind, h.person_id AS personId, h.entry, ${validJson('l.entry')} ->> '$.type' AS type,
      ${validJson('l.details')} -> '$.by' AS "by"
    FROM history h LEFT JOIN log_entries l ON l.idx = h.entry
    WHERE h.id > ? AND h.kind NOT GLOB 'session.*' ORDER BY h.id LIMIT ?`),
  /**
   * Entries of the transparency log that no event of the audit log refers to, except those about releases, and those of
   * migrations, which describe what was there before.
   */
  listUnaudited: sql.list<[after: number, limit: number], StoredEntry & { id: number }>(`
    SELECT idx + 1 AS id, * FROM log_entries l
    WHERE idx >= ? AND NOT EXISTS (SELECT 1 FROM history WHERE entry = l.idx)
      AND subject NOT GLOB 'releases/*' AND subject NOT GLOB 'decisions/*' AND subject NOT GLOB 'judgements/*'
      AND json_valid(entry) AND json_valid(details) AND entry ->> '$.imported' IS NULL
    ORDER BY idx LIMIT ?`),
}))

export const evidenceCheckRepository = repository((sql) => ({
  /** Decisions with their evidence and the data that it must match. */
  listEvidence: sql.list<[after: number, limit: number], EvidenceRow>(`
    SELECT e.decision_id AS id, r.name, r.version, r.sha256, m.manifest, e.evidence
    FROM decision_evidence e JOIN decisions d ON d.id = e.decision_id JOIN releases r ON r.id = d.release_id
      JOIN release_manifests m ON m.release_id = r.id
    WHERE e.decision_id > ? ORDER BY e.decision_id LIMIT ?`),
  /** Held decisions on releases that are not pending. */
  listHeldTooLong: sql.list<[], { name: string; version: string; status: string }>(`
    SELECT r.name, r.version, r.status FROM held_decisions h JOIN releases r ON r.id = h.release_id
    WHERE r.status <> 'pending' ORDER BY r.id LIMIT 100`),
  /** Dismissals recorded under a name other than their release's. */
  listMisfiledJudgements: sql.list<[], { id: number; name: string; releaseName: string }>(`
    SELECT j.id, j.name, r.name AS releaseName FROM judgements j JOIN releases r ON r.id = j.release_id
    WHERE j.name <> r.name ORDER BY j.id LIMIT 100`),
}))

export const counterCheckRepository = repository((sql) => {
  const readSequence = sql.findValue<[table: string], number>(
    'SELECT seq FROM sqlite_sequence WHERE name = ?',
  )
  const deleteSequence = sql.run<[table: string]>('DELETE FROM sqlite_sequence WHERE name = ?')
  const insertSequence = sql.run<[table: string, seq: number]>(
    'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)',
  )
  const maximum = sql.composed<[], { id: number }>()

  return {
    readGeneration: sql.listValues<[], number>('SELECT n FROM catalog_generation'),
    listTopics: sql.listValues<[], string>('SELECT topic FROM desk_topics ORDER BY topic'),
    startGeneration: sql.run<[]>('INSERT OR REPLACE INTO catalog_generation VALUES (1, 1)'),
    startTopic: sql.run<[topic: string]>('INSERT INTO desk_topics VALUES (?, 1)'),
    /** The greatest id that an AUTOINCREMENT table has assigned, and the greatest that exists. */
    readSequence: (table: string): { given: number | null; present: number } => ({
      given: readSequence(table),
      present: maximum(`SELECT coalesce(max(id), 0) AS id FROM "${table}"`)[0]?.id ?? 0,
    }),
    saveSequence(table: string, seq: number): void {
      deleteSequence(table)
      insertSequence(table, seq)
    },
  }
})
