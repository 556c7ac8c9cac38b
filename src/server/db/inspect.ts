import type { Connection } from './database.ts'
import { newestVersion } from './migrate.ts'
import { openForReading } from './open.ts'

/** Opens a database to look at it, also in a read-only folder. */
export function openForInspection(path: string): Connection {
  return openForReading(path, 10_000)
}

/** How the database's version lies to this program's. */
export function compareVersion(connection: Connection): 'older' | 'same' | 'newer' {
  const version = Number(connection.pragma('user_version', { simple: true }))
  if (version === newestVersion) return 'same'
  return version < newestVersion ? 'older' : 'newer'
}

/** What SQLite itself finds wrong with its pages, indexes, constraints and references; empty where all is well. */
export function findDamage(connection: Connection): string[] {
  const integrity = connection.prepare<[], string>('PRAGMA integrity_check').pluck().all()
  const references = connection
    .prepare<[], { table: string; rowid: number; parent: string }>('PRAGMA foreign_key_check')
    .all()
    .slice(0, 100)
  return [
    ...integrity.filter((line) => line !== 'ok'),
    ...references.map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to no row of ${parent}`),
  ]
}

/** Builds every index again from its table. */
export function rebuildIndexes(connection: Connection): void {
  connection.exec('REINDEX')
}
