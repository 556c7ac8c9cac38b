import type { Connection } from './database.ts'
import { newestVersion } from './migrate.ts'
import { openForReading } from './open.ts'

/** Opens a database for inspection, even in a read-only folder. */
export function openForInspection(path: string): Connection {
  return openForReading(path, 10_000)
}

/** Compares the database's version with this program's. */
export function compareVersion(connection: Connection): 'older' | 'same' | 'newer' {
  const version = Number(connection.pragma('user_version', { simple: true }))
  if (version === newestVersion) return 'same'
  return version < newestVersion ? 'older' : 'newer'
}

/** Problems that SQLite itself finds with pages, indexes, constraints and references. */
export function findDamage(connection: Connection): string[] {
  const integrity = connection.prepare<[], string>('PRAGMA integrity_check').pluck().all()
  const references = connection
    .prepare<[], { table: string; rowid: number; parent: string }>('PRAGMA foreign_key_check')
    .all()
    .slice(0, 100)
  return [
    ...integrity.filter((line) => line !== 'ok'),
    ...references.map(
      ({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a missing row of ${parent}`,
    ),
  ]
}

/** Rebuilds every index from its table. */
export function rebuildIndexes(connection: Connection): void {
  connection.exec('REINDEX')
}

/** The newest time at which anything was recorded, or null in an empty registry. */
export function newestTime(connection: Connection): string | null {
  return (
    connection
      .prepare<[], string | null>(
        `SELECT max(at) FROM (SELECT max(at) AS at FROM history
           UNION ALL SELECT max(created_at) FROM releases
           UNION ALL SELECT max(created_at) FROM people
           UNION ALL SELECT max(updated_at) FROM posts)`,
      )
      .pluck()
      .get() ?? null
  )
}
