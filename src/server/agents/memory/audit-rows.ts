import { createHash } from 'node:crypto'
import type { AuditGap, AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { hashedColumn, isVerified, oversizedCells } from '../queries/audit-hash.ts'
import type { AgentsMemory } from './agents-memory.ts'
import { auditFlags } from './audit-tape.ts'
import { keyBefore, placeBelow } from './tape-places.ts'

/** A row without what the services know of its mismatch. */
export type ReadAuditRow = Omit<AuditRow, 'mismatch'>

const columns = ['timestamp', 'lamport', 'agent_name', 'event_type', 'detail', 'content_hash']

function readRows(memory: AgentsMemory, database: AgentsDatabase, keys: readonly number[]): Row[] {
  if (keys.length === 0) return []
  const key = memory.audit.tape.keyOf(database)
  return database.all(
    `SELECT ${key} AS "key", ${database.columns('audit_log', columns)}, ${hashedColumn(database)} FROM audit_log
     WHERE ${key} IN (SELECT value FROM json_each(?)) ORDER BY ${key} DESC`,
    JSON.stringify(keys),
  )
}

/** Rows by their ids, newest first, as they are now: each is checked as it is read. */
export function auditRowsOf(
  memory: AgentsMemory,
  database: AgentsDatabase,
  keys: readonly number[],
): ReadAuditRow[] {
  if (!memory.audit.tape.isThere) return []
  const found = readRows(memory, database, keys).map((row) => toRow(row))
  for (const { id, verified } of found) noteChecked(memory, database, id, verified)
  const gaps = gapsOf(memory, database, found)
  return found.map((row) => ({ ...row, gap: gaps.get(row.id) ?? null }))
}

function toRow(row: Row): ReadAuditRow {
  const verified = isVerified(row)
  return {
    id: Number(row['key']),
    at: timeOf(row['timestamp']),
    lamport: integerOf(row['lamport']),
    agent: textOf(row['agent_name']),
    event: textOf(row['event_type']),
    detail: textOf(row['detail']),
    hash: textOf(row['content_hash']),
    computed: verified || oversizedCells(row).length > 0 ? null : hashOf(row['hashed']),
    verified,
    gap: null,
  }
}

function hashOf(bytes: unknown): string | null {
  return typeof bytes === 'string' || Buffer.isBuffer(bytes)
    ? createHash('sha256').update(bytes).digest('hex')
    : null
}

/** What is shown and what is counted have to agree: a row that is not as it was counted is counted again. */
function noteChecked(memory: AgentsMemory, database: AgentsDatabase, id: number, verified: boolean): void {
  const { tape } = memory.audit
  const { block, index } = placeBelow(tape, id + 1)
  const one = tape.blocks[block]
  if (one?.keys[index] !== id) return
  const counted = ((one.cells.flags[index] ?? 0) & auditFlags.mismatch) === 0
  if (counted !== verified) tape.reread(database, memory.serial, id)
}

function gapsOf(
  memory: AgentsMemory,
  database: AgentsDatabase,
  rows: readonly ReadAuditRow[],
): Map<number, AuditGap> {
  const { blocks } = memory.audit.tape
  const behind = new Map<number, number>()
  for (const { id } of rows) {
    const place = placeBelow(memory.audit.tape, id + 1)
    if (place.block < 0 || blocks[place.block]?.keys[place.index] !== id) continue
    const before = keyBefore(blocks, place)
    if (before !== null && id > before + 1) behind.set(id, before)
  }
  const older = new Map(
    readRows(memory, database, [...behind.values()]).map((row) => [Number(row['key']), toRow(row)]),
  )
  const gaps = new Map<number, AuditGap>()
  for (const row of rows) {
    const before = behind.get(row.id)
    if (before === undefined) continue
    const other = older.get(before) ?? null
    gaps.set(row.id, {
      from: before + 1,
      to: row.id - 1,
      rows: row.id - before - 1,
      after: other?.at ?? null,
      before: row.at,
      lamportContinues:
        row.lamport === null || other === null || other.lamport === null
          ? null
          : row.lamport === other.lamport + 1,
    })
  }
  return gaps
}
