import { createHash } from 'node:crypto'
import type { AgentsDatabase, Row } from '../agents-database.ts'

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

/** Whether `content_hash` of such a row is the digest of those bytes, in lowercase hex. */
export function isVerified(row: Row): boolean {
  const bytes = row[name]
  const digest = row['content_hash']
  if (typeof digest !== 'string' || !(typeof bytes === 'string' || Buffer.isBuffer(bytes))) return false
  return createHash('sha256').update(bytes).digest('hex') === digest
}
