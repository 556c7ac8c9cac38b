import type { AuditEntry } from '../../../shared/contracts/dashboard.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'
import { hashedColumn, isVerified, isVerifiedByCells, oversizedCells } from './audit-hash.ts'

/** An entry as the JSON that an answer is put together from. */
export interface EntryText {
  id: number | null
  text: Uint8Array
}

const columns = ['id', 'timestamp', 'lamport', 'agent_name', 'event_type', 'detail', 'content_hash'] as const

/** The entries of these rows, each checked against its hash. */
export function listEntries(database: AgentsDatabase, where: string, ...values: unknown[]): EntryText[] {
  const cells = database.columns('audit_log', columns)
  const rows = database.all(`SELECT ${cells} FROM audit_log WHERE ${where}`, ...values)
  const entries: EntryText[] = []
  for (const row of rows) {
    const entry = find(row) ?? check(row)
    // Where one of them holds what is seldom there, all are checked by their bytes.
    if (entry === null) {
      return database
        .all(`SELECT ${cells}, ${hashedColumn(database)} FROM audit_log WHERE ${where}`, ...values)
        .map((whole) => toText(whole, isVerified(whole)))
    }
    entries.push(entry)
  }
  return entries
}

/** The same page is asked for all the while, and of its rows hardly any is new: what was checked is kept with its cells. */
const checked = new Map<unknown, { row: Row; entry: EntryText }>()
const mostChecked = 2048
const mostBytes = 4096

function find(row: Row): EntryText | null {
  const known = checked.get(row['id'])
  return known !== undefined && isSame(known.row, row) ? known.entry : null
}

/** Written out, for it is asked of every row of every page. */
function isSame(one: Row, other: Row): boolean {
  return (
    one['content_hash'] === other['content_hash'] &&
    one['detail'] === other['detail'] &&
    one['timestamp'] === other['timestamp'] &&
    one['lamport'] === other['lamport'] &&
    one['agent_name'] === other['agent_name'] &&
    one['event_type'] === other['event_type']
  )
}

function check(row: Row): EntryText | null {
  const verified = isVerifiedByCells(row)
  if (verified === null) return null
  const entry = toText(row, verified)
  checked.delete(row['id'])
  if (entry.text.byteLength <= mostBytes) checked.set(row['id'], { row, entry })
  for (const oldest of checked.keys()) {
    if (checked.size <= mostChecked) break
    checked.delete(oldest)
  }
  return entry
}

function toText(row: Row, verified: boolean): EntryText {
  const id = integerOf(row['id'])
  const entry: AuditEntry = {
    id,
    timestamp: timeOf(row['timestamp']),
    lamport: integerOf(row['lamport']),
    agent_name: textOf(row['agent_name']),
    event_type: textOf(row['event_type']),
    detail: textOf(row['detail']),
    content_hash: textOf(row['content_hash']),
    verified,
  }
  const invalid = oversizedCells(row)
  return { id, text: jsonOf(invalid.length === 0 ? entry : { ...entry, invalid }) }
}
