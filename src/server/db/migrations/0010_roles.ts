import type Sqlite from 'better-sqlite3'

/** Allows the roles `editor` and `reviewer`. SQLite can't change the CHECK of a column, so a new column replaces it. */
export function addRoles(connection: Sqlite.Database): void {
  connection.exec(`
    DROP INDEX people_administrators;
    ALTER TABLE people ADD COLUMN new_role TEXT NOT NULL DEFAULT 'developer'
      CHECK (new_role IN ('developer', 'editor', 'reviewer', 'administrator'));
    UPDATE people SET new_role = role;
    ALTER TABLE people DROP COLUMN role;
    ALTER TABLE people RENAME COLUMN new_role TO role;
    CREATE INDEX people_administrators ON people (id) WHERE role = 'administrator' AND removed_at IS NULL;
  `)
}
