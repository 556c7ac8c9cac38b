import type Sqlite from 'better-sqlite3'
import { eventLog } from '../log/event-log.ts'
import { loggedTables } from '../log/logged-tables.ts'

/** The transparency log. Its first entries describe what the registry already contains. */
export function createLog(connection: Sqlite.Database): void {
  connection.exec(`
    -- One event each: canonical JSON with the hash of salt and details, which are not public.
    CREATE TABLE log_entries (
      idx INTEGER PRIMARY KEY,
      subject TEXT NOT NULL,
      entry TEXT NOT NULL,
      salt BLOB NOT NULL,
      details TEXT NOT NULL
    ) STRICT;
    CREATE INDEX log_entries_subject ON log_entries (subject, idx);

    -- The roots of the complete subtrees, in the order in which they become complete.
    CREATE TABLE log_nodes (
      position INTEGER PRIMARY KEY,
      hash BLOB NOT NULL
    ) STRICT;
  `)
  const log = eventLog(connection)
  const findTable = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  for (const { name, key } of loggedTables) {
    // Later migrations create the others.
    if (findTable.get(name) === undefined) continue
    const keys = connection.prepare<[], string | number>(`SELECT ${key} FROM ${name} ORDER BY ${key}`).pluck()
    for (const value of keys.all()) log.recordRow(`${name}/${value}`, { imported: true })
  }
}
