import type { AuditKind } from '../../../shared/audit-kinds.texts.ts'
import type { AuditEntry } from '../../../shared/contracts/desk-audit-log.ts'
import { auditedTables, loggedTables } from '../../db/log/logged-tables.ts'
import type { LoggedRow, LoggedTable } from '../../db/log/logged-tables.ts'
import { repository } from '../../db/repository.ts'
import { validJson } from '../../db/valid-json.ts'

export interface AuditFilter {
  kinds?: readonly AuditKind[] | undefined
  person?: number | undefined
  /** The exact name of what an event is about. */
  about?: string | undefined
  /** Times, inclusive. */
  from: string
  to: string
}

/** The position after which events are listed. */
export interface AuditPlace {
  at: string
  id: number
}

type AuditBounds = AuditFilter & AuditPlace & { limit: number }

type AuditRow = Omit<AuditEntry, 'evidence' | 'selfApproved' | 'changes'> & {
  evidence: number | null
  selfApproved: number | null
  subject: string | null
  /** The row after the event and, for a change, before it; as JSON. */
  row: string | null
  former: string | null
}

const rowOf = (column: string): string => `(${validJson(column)}) -> '$.row'`

const beforeChange = `(SELECT ${rowOf('f.details')} FROM log_entries f
  WHERE f.subject = l.subject AND f.idx < l.idx ORDER BY f.idx DESC LIMIT 1)`

const entriesOf = (ids: string): string =>
  `SELECT h.id, h.kind, h.at, h.person_id AS personId, coalesce(p.name, p.subject) AS person, h.channel, h.address,
     h.release_id AS releaseId, h.name, r.version, coalesce(d.reason, j.reason, o.reason, n.reason, x.reason) AS why, j.check_id AS "check",
     iif(d.id IS NULL, NULL, e.decision_id IS NOT NULL) AS evidence,
     h.kind = 'approved' AND h.person_id = r.owner_id AS selfApproved, h.count, h.last_at AS lastAt, h.entry,
     l.subject, coalesce(${rowOf('h.details')}, ${rowOf('l.details')}) AS "row",
     CASE WHEN h.kind LIKE '%.changed' OR ${rowOf('l.details')} = 'null'
       THEN ${beforeChange} END AS former
   FROM (${ids}) page JOIN history h ON h.id = page.id
   LEFT JOIN people p ON p.id = h.person_id LEFT JOIN releases r ON r.id = h.release_id
   LEFT JOIN decisions d ON d.id = h.ref AND h.kind IN ('approved', 'rejected', 'revoked')
   LEFT JOIN judgements j ON j.id = h.ref AND h.kind IN ('judged', 'withdrawn')
   LEFT JOIN projects o ON o.id = h.ref AND h.kind IN ('project.approved', 'project.rejected')
   LEFT JOIN name_owners n ON n.id = h.ref AND h.kind = 'owner.added'
   LEFT JOIN deprecations x ON x.id = h.ref AND h.kind = 'deprecated'
   LEFT JOIN decision_evidence e ON e.decision_id = d.id
   LEFT JOIN log_entries l ON l.idx = h.entry
   ORDER BY h.at DESC, h.id DESC`

/** Ids and times of the matching events after a place, from indexes that have them in order. */
const idsAfter = ({ kinds, person, about }: AuditFilter): string => {
  const index =
    about !== undefined
      ? 'history_name'
      : person === undefined
        ? kinds === undefined
          ? 'history_at'
          : 'history_kind'
        : kinds === undefined
          ? 'history_person'
          : 'history_person_kind'
  const select = (kind: string): string =>
    `SELECT id, at FROM history INDEXED BY ${index}
     WHERE at >= @from AND (at, id) < (@at, @id)
     ${about === undefined ? '' : 'AND name = @about'} ${person === undefined ? '' : 'AND person_id = @person'} ${kind}`
  // SQLite merges the events of several kinds, each in order, so none of them is sorted.
  const selects = kinds?.map((kind) => select(`AND kind = '${kind}'`)) ?? [select('')]
  return `${selects.join(' UNION ALL ')} ORDER BY at DESC, id DESC LIMIT @limit`
}

const tables = new Map([...loggedTables, ...auditedTables].map((table) => [table.name, table]))
/** The tables of events that are only in the audit log. */
const auditedKinds: Partial<Record<AuditKind, string>> = {
  'session.started': 'desk_sessions',
  'session.ended': 'desk_sessions',
  'session.invited': 'sign_in_codes',
  'token.exchanged': 'token_exchanges',
}

const tableOf = ({ subject, kind }: AuditRow): LoggedTable | undefined =>
  tables.get(subject?.split('/', 1)[0] ?? auditedKinds[kind] ?? '')

function parseRow(text: string | null): LoggedRow | null {
  const row = text === null ? null : (JSON.parse(text) as unknown)
  return typeof row === 'object' ? (row as LoggedRow | null) : null
}

/**
 * The values that have changed, or all that are shown of a row that was added or removed. Ids of people are replaced with
 * their names.
 */
function changesOf(stored: AuditRow, nameOf: (id: number) => string | null): AuditEntry['changes'] {
  const table = tableOf(stored)
  const [row, former] = [parseRow(stored.row), parseRow(stored.former)]
  const known = row ?? former
  if (known === null) return []
  const textOf = (one: LoggedRow | null, field: string): string | null => {
    const value = one?.[field] ?? null
    const name = field === 'person_id' && value !== null ? nameOf(Number(value)) : null
    return name ?? (value === null ? null : String(value))
  }
  return (table?.shows ?? Object.keys(known)).flatMap((field) => {
    const [from, to] = [textOf(former, field), textOf(row, field)]
    if (from === to || (table !== undefined && former === null && to === '0')) return []
    if (table?.digests.includes(field) !== true) return [{ field, from, to }]
    return former === null || row === null ? [] : [{ field, from: null, to: null }]
  })
}

/** All SQL that reads the audit log. */
export const auditLogRepository = repository((sql) => {
  const findName = sql.findValue<[person: number], string>(
    'SELECT coalesce(name, subject) FROM people WHERE id = ?',
  )
  const listIds = sql.composed<[AuditBounds], AuditPlace>()
  const listRows = sql.composed<[AuditBounds | { ids: string }], AuditRow>()
  const toEntry = (row: AuditRow): AuditEntry => {
    const { subject: _subject, row: _row, former: _former, ...entry } = row
    return {
      ...entry,
      evidence: row.evidence === null ? null : row.evidence === 1,
      selfApproved: row.selfApproved === 1,
      changes: changesOf(row, findName),
    }
  }

  return {
    /** Up to `limit` ids after a place. */
    listIds: (filter: AuditFilter, { at, id }: AuditPlace, limit: number) =>
      listIds(idsAfter(filter), { ...filter, at, id, limit }),
    /** The same as complete entries. */
    listAfter: (filter: AuditFilter, { at, id }: AuditPlace, limit: number) =>
      listRows(entriesOf(idsAfter(filter)), { ...filter, at, id, limit }).map(toEntry),
    /** Newest first. */
    listByIds: (ids: readonly number[]) =>
      listRows(entriesOf('SELECT value AS id FROM json_each(@ids)'), { ids: JSON.stringify(ids) }).map(
        toEntry,
      ),
  }
})
