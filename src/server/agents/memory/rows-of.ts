import type { AgentsDatabase, Row } from '../agents-database.ts'
import type { AgentsMemory, TapePart } from './agents-memory.ts'

/** Rows of a tape's table by their keys, newest first, as they are now; each with its `key`. */
export function rowsOf(
  memory: AgentsMemory,
  database: AgentsDatabase,
  part: TapePart,
  keys: readonly number[],
  columns: readonly string[],
): Row[] {
  const tape = memory.tapeOf(part)
  if (keys.length === 0 || !tape.isThere) return []
  const key = tape.keyOf(database)
  return database.all(
    `SELECT ${key} AS "key", ${database.columns(tape.table, columns)} FROM "${tape.table}"
     WHERE ${key} IN (SELECT value FROM json_each(?)) ORDER BY ${key} DESC`,
    JSON.stringify(keys),
  )
}
