import type { Connection } from './database.ts'
import { newestVersion } from './migrate.ts'
import { openConfigured } from './open.ts'

/**
 * Opens a database to look at it: nothing can be written through this connection. (One that is read-only for
 * SQLite too would leave its files `-wal` and `-shm` behind.)
 */
export function openForInspection(path: string): Connection {
  const connection = openConfigured(path, { timeoutMs: 10_000 })
  connection.pragma('query_only = ON')
  return connection
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
