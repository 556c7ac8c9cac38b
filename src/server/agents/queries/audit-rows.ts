import { auditEventSchema, auditRowSchema } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AuditEvent, AuditGap, AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import { storedRecord } from '../records.ts'
import { hashedColumn, hashOf } from './audit-hash.ts'
import { sourceRows } from './desk-query.ts'
import type { QueryContext } from './desk-query.ts'

type StoredEvent = Omit<AuditEvent, 'id'>
const auditEvent = storedRecord<StoredEvent>(auditEventSchema)
const auditRow = storedRecord<StoredEvent & Pick<AuditRow, 'lamport' | 'hash'>>(auditRowSchema)

const readRows = (context: QueryContext, keys: readonly number[]): AuditRow[] =>
  sourceRows(context, 'audit', keys, auditRow.columns, hashedColumn(context.database)).map((row) => {
    const computed = hashOf(row)
    const verified = computed !== null && computed === row['content_hash']
    return {
      id: Number(row['key']),
      ...auditRow.from(row),
      computed: verified ? null : computed,
      verified,
      mismatch: null,
      gap: null,
    }
  })

/**
 * Rows by id, newest first, as they are now: each is verified as it is read. The server adds what it knows about a
 * mismatch.
 */
export function auditRowsOf(context: QueryContext, keys: readonly number[]): AuditRow[] {
  const { mirror, database } = context
  const found = readRows(context, keys)
  // The rows shown and the counts must agree, so a row that differs from its copy is copied again.
  for (const { id, verified } of found) {
    const mismatch = mirror.value<number>('SELECT mismatch FROM audit WHERE key = ?', id)
    if (mismatch !== null && (mismatch === 0) !== verified) mirror.tables.audit.copyFrom(database, id)
  }
  const gaps = mirror.all<{ key: number; gap: number }>(
    'SELECT key, gap FROM audit WHERE key IN (SELECT value FROM json_each(?)) AND gap > 0',
    JSON.stringify(found.map(({ id }) => id)),
  )
  const gapOf = new Map(gaps.map(({ key, gap }) => [key, gap]))
  const beforeGaps = gaps.map(({ key, gap }) => key - gap - 1)
  const olderOf = new Map(readRows(context, beforeGaps).map((row) => [row.id, row]))
  return found.map((row) => {
    const rows = gapOf.get(row.id)
    return rows === undefined ? row : { ...row, gap: gapBetween(olderOf.get(row.id - rows - 1), row, rows) }
  })
}

function gapBetween(older: AuditRow | undefined, newer: AuditRow, rows: number): AuditGap {
  const [one, other] = [older?.lamport ?? null, newer.lamport]
  return {
    from: newer.id - rows,
    to: newer.id - 1,
    rows,
    after: older?.at ?? null,
    before: newer.at,
    lamportContinues: one === null || other === null ? null : other === one + 1,
  }
}

/** Audit rows by id, newest first, without verifying their hashes. */
export const eventsOf = (context: QueryContext, keys: readonly number[]): AuditEvent[] =>
  sourceRows(context, 'audit', keys, auditEvent.columns).map((row) => ({
    id: Number(row['key']),
    ...auditEvent.from(row),
  }))

interface LastWords {
  detail: string | null
  /** Null if it is not a valid time. */
  at: string | null
}

/** The newest audit row about a crash or an exit of each of these agents. */
export function lastWordsOf(context: QueryContext, names: readonly string[]): ReadonlyMap<string, LastWords> {
  const found = context.mirror.all<{ name: string; key: number; at: string | null }>(
    `SELECT last.agent AS name, audit.key, iso(at) AS at FROM json_each(?)
     JOIN last_events last ON last.agent = value JOIN audit ON audit.key = last.exit`,
    JSON.stringify(names),
  )
  const keys = found.map(({ key }) => key)
  const details = new Map(eventsOf(context, keys).map(({ id, detail }) => [id, detail]))
  return new Map(found.map(({ name, key, at }) => [name, { detail: details.get(key) ?? null, at }]))
}
