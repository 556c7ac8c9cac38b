import type Sqlite from 'better-sqlite3'

/** Finds an approved release by name and version without reading its row, which is on a page of its own. */
export function createApprovedReleases(connection: Sqlite.Database): void {
  connection.exec(
    "CREATE UNIQUE INDEX releases_approved ON releases (name, version) WHERE status = 'approved'",
  )
}
