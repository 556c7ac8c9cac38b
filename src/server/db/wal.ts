import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'

/** Bytes of the write-ahead log that stay after a checkpoint. A larger log is truncated once no reader needs it. */
export const walLimitBytes = 67_108_864

/** The size of a database's write-ahead log. */
export function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/** The share of the database's pages that are unused, from 0 to 1. */
export function fragmentation(connection: Sqlite.Database): number {
  const pages = Number(connection.pragma('page_count', { simple: true }))
  return pages === 0 ? 0 : Number(connection.pragma('freelist_count', { simple: true })) / pages
}

/**
 * Copies the log into the database and truncates it; false if a reader of any process still needs a part of it. Writers
 * wait meanwhile, so the connection's busy timeout must be short.
 */
export function truncateWal(connection: Sqlite.Database): boolean {
  const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  return result?.busy === 0
}
