import type Sqlite from 'better-sqlite3'

/** First approvals of releases that need two. */
export function createFirstApprovals(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE first_approvals (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      reason TEXT NOT NULL,
      approved_by INTEGER NOT NULL REFERENCES people (id),
      approved_at TEXT NOT NULL,
      -- As JSON; null for an approval made without the desk.
      evidence TEXT,
      withdrawn_at TEXT
    ) STRICT;
    CREATE UNIQUE INDEX first_approvals_current ON first_approvals (release_id) WHERE withdrawn_at IS NULL;
    CREATE INDEX first_approvals_release ON first_approvals (release_id, id);
    CREATE INDEX first_approvals_person ON first_approvals (approved_by, release_id);

    CREATE TRIGGER desk_first_approval_insert AFTER INSERT ON first_approvals
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_first_approval_update AFTER UPDATE ON first_approvals
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
  `)
}
