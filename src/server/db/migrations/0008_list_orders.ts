import type Sqlite from 'better-sqlite3'

/**
 * Indexes for the review lists that are ordered by name, newest first within a name, so that they need no sorting.
 * With `last_decision` in the index, decided releases are recognized from it alone.
 */
export function createListOrders(connection: Sqlite.Database): void {
  connection.exec(`
    DROP INDEX releases_name;
    DROP INDEX releases_status_name;
    CREATE INDEX releases_name ON releases (name, id DESC, last_decision);
    CREATE INDEX releases_status_name ON releases (status, name, id DESC);
  `)
}
