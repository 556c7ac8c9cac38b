import type Sqlite from 'better-sqlite3'

/**
 * Keeps releases in the review queue's order by name, newest first within a name, so that nothing has to be sorted.
 * `last_decision` lets the decided ones be told from the index alone.
 */
export function createListOrders(connection: Sqlite.Database): void {
  connection.exec(`
    DROP INDEX releases_name;
    DROP INDEX releases_status_name;
    CREATE INDEX releases_name ON releases (name, id DESC, last_decision);
    CREATE INDEX releases_status_name ON releases (status, name, id DESC);
  `)
}
