import { hash } from 'node:crypto'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { isOversized } from '../cell-values.ts'

/** The cells that a row's hash is made of, and the hash that it says it has. */
export const hashedCells = ['lamport', 'agent_name', 'event_type', 'detail', 'content_hash'] as const

/** The column of `hashedColumn` in a row. */
const name = 'hashed'

/**
 * A column with the bytes that an audit row's `content_hash` is made of: `lamport:agent_name:event_type:detail`, a null
 * as nothing. They are put together by SQLite, so that nothing goes through JavaScript's numbers and texts, which hold
 * neither every number nor every byte; only a database that is not in UTF-8 gives a text.
 */
export function hashedColumn(database: AgentsDatabase): string {
  const lamport = database.column('audit_log', 'lamport')
  // Some writers know no whole numbers: 7 is stored as 7.0, and is 7 all the same.
  const whole = `CASE WHEN typeof(${lamport}) = 'real' AND ${lamport} = CAST(${lamport} AS INTEGER)
    THEN CAST(${lamport} AS INTEGER) ELSE ${lamport} END`
  const cells = ['agent_name', 'event_type', 'detail'].map((part) => database.column('audit_log', part))
  const text = [whole, ...cells].map((cell) => `COALESCE(${cell}, '')`).join(` || ':' || `)
  return `${database.isUtf8() ? `CAST(${text} AS BLOB)` : text} AS ${name}`
}

/** The cells of a row that are too large to be read: nothing can be said of its hash. */
export function oversizedCells(row: Row): string[] {
  return hashedCells.filter((cell) => isOversized(row[cell]))
}

/**
 * Whether `content_hash` of a row with `hashedColumn` is the digest of those bytes, in lowercase hex. A row with a cell
 * that is too large to be read is not verified.
 */
export function isVerified(row: Row): boolean {
  if (oversizedCells(row).length > 0) return false
  const bytes = row[name]
  const digest = row['content_hash']
  if (typeof digest !== 'string' || !(typeof bytes === 'string' || Buffer.isBuffer(bytes))) return false
  return hash('sha256', bytes, 'hex') === digest
}

/** The sign that stands for bytes that are no text. */
const unreadable = '\uFFFD'

/**
 * The same from the row's cells alone, several times as quick, where they are what nearly every row holds: a whole number
 * and texts, of which JavaScript has exactly the bytes. Null where only the bytes can tell.
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
