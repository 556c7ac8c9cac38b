import { hash } from 'node:crypto'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { isOversized } from '../cell-values.ts'

/** The cells that a row's hash is computed from, and the stored hash. */
export const hashedCells = ['lamport', 'agent_name', 'event_type', 'detail', 'content_hash'] as const

/** The name of the `hashedColumn` result. */
const name = 'hashed'

/**
 * SQL for the bytes that an audit row's `content_hash` covers: `lamport:agent_name:event_type:detail`, with null as an
 * empty string. SQLite joins them, because JavaScript's numbers and strings cannot hold every number and byte; only a
 * database that is not in UTF-8 yields text.
 */
export function hashedColumn(database: AgentsDatabase): string {
  const lamport = database.column('audit_log', 'lamport')
  // Some writers have no integers and store 7 as 7.0, which is hashed as 7.
  const whole = `CASE WHEN typeof(${lamport}) = 'real' AND ${lamport} = CAST(${lamport} AS INTEGER)
    THEN CAST(${lamport} AS INTEGER) ELSE ${lamport} END`
  const cells = ['agent_name', 'event_type', 'detail'].map((part) => database.column('audit_log', part))
  const text = [whole, ...cells].map((cell) => `COALESCE(${cell}, '')`).join(` || ':' || `)
  return `${database.isUtf8() ? `CAST(${text} AS BLOB)` : text} AS ${name}`
}

/** The cells of a row that are too large to be read, which makes its hash unknown. */
export function oversizedCells(row: Row): string[] {
  return hashedCells.filter((cell) => isOversized(row[cell]))
}

/** The SHA-256 of those bytes of a row with `hashedColumn`, in lowercase hex; null if one of its cells is oversized. */
export function hashOf(row: Row): string | null {
  const bytes = row[name]
  if (oversizedCells(row).length > 0 || !(typeof bytes === 'string' || Buffer.isBuffer(bytes))) return null
  return hash('sha256', bytes, 'hex')
}

/** Whether `content_hash` of a row with `hashedColumn` is its hash. A row with an oversized cell is not verified. */
export function isVerified(row: Row): boolean {
  const computed = hashOf(row)
  return computed !== null && computed === row['content_hash']
}

/** The character that replaces bytes that are not valid text. */
const unreadable = '\uFFFD'

/**
 * As `isVerified`, but from the row's cells, which is several times faster. Works if they are an integer and strings,
 * as in almost every row; null if only the bytes can tell.
 */
export function isVerifiedByCells(row: Row): boolean | null {
  const digest = row['content_hash']
  if (typeof digest !== 'string') return false
  const lamport = plainNumber(row['lamport'])
  const agent = plainText(row['agent_name'])
  const event = plainText(row['event_type'])
  const detail = plainText(row['detail'])
  if (lamport === null || agent === null || event === null || detail === null) return null
  return hash('sha256', `${lamport}:${agent}:${event}:${detail}`, 'hex') === digest
}

function plainNumber(cell: unknown): number | string | null {
  return typeof cell === 'number' ? (Number.isSafeInteger(cell) ? cell : null) : plainText(cell)
}

function plainText(cell: unknown): string | null {
  if (cell === null) return ''
  return typeof cell === 'string' && !cell.includes(unreadable) ? cell : null
}
