import type Sqlite from 'better-sqlite3'

export function createAgents(connection: Sqlite.Database): void {
  connection.exec(`
    -- Agent projects that were shown, to switch between them.
    CREATE TABLE agent_projects (
      folder TEXT PRIMARY KEY,
      shown_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What needed a person in a project, from when it was first seen until it was over. What is known of it besides is
    -- read anew each time.
    CREATE TABLE agent_alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      folder TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('mismatch', 'crashed', 'revoked', 'budget')),
      key TEXT NOT NULL,
      since TEXT NOT NULL,
      first_seen_at TEXT NOT NULL,
      ended_at TEXT,
      -- As a notification of the system.
      told_at TEXT,
      seen_at TEXT,
      seen_by INTEGER REFERENCES people (id),
      -- How many rows a mismatch stood for when it was marked as seen.
      seen_rows INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX agent_alerts_open ON agent_alerts (folder, kind, key) WHERE ended_at IS NULL;
    CREATE INDEX agent_alerts_ended ON agent_alerts (ended_at) WHERE ended_at IS NOT NULL;
  `)
}
