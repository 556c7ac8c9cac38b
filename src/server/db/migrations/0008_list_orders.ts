import type Sqlite from 'better-sqlite3'

/**
 * Indexes releases in the review queue's order, by name and newest first within a name, to avoid sorting. With
 * `last_decision` in the index, decided releases are recognized from it alone.
 */
export function createListOrders(connection: Sqlite.Database): void {
  connection.exec(`
    DROP INDEX releases_name;
    DROP INDEX releases_status_name;
    CREATE INDEX releases_name ON releases (name, id DESC, last_decision);
    CREATE INDEX releases_status_name ON releases (status, name, id DESC);
  `)
}
