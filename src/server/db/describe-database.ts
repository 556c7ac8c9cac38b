import type { Connection } from './database.ts'

/** Facts about a database that are fast to read, whatever its size. `skilldock verify` runs a full check. */
export function describeDatabase(connection: Connection) {
  const pragma = (name: string): unknown => connection.pragma(name, { simple: true })
  const statuses = connection
    .prepare<[], { status: string; releases: number }>(
      'SELECT status, count(*) AS releases FROM releases GROUP BY status',
    )
    .all()
  return {
    schemaVersion: pragma('user_version'),
    journalMode: pragma('journal_mode'),
    pageSize: pragma('page_size'),
    pages: pragma('page_count'),
    freePages: pragma('freelist_count'),
    releases: Object.fromEntries(statuses.map(({ status, releases }) => [status, releases])),
  }
}
