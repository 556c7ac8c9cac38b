import type Sqlite from 'better-sqlite3'

export function createAgents(connection: Sqlite.Database): void {
  connection.exec(`
    -- Agent projects shown so far, for switching between them.
    CREATE TABLE agent_projects (
      folder TEXT PRIMARY KEY,
      shown_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Alerts of a project, from when they were first seen until they ended. All other details are read from the
    -- project each time.
    CREATE TABLE agent_alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      folder TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('mismatch', 'crashed', 'revoked', 'budget')),
      key TEXT NOT NULL,
      since TEXT NOT NULL,
      first_seen_at TEXT NOT NULL,
      ended_at TEXT,
      -- When a system notification was shown.
      told_at TEXT,
      seen_at TEXT,
      seen_by INTEGER REFERENCES people (id),
      -- The number of rows of a mismatch when it was acknowledged.
      seen_rows INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX agent_alerts_open ON agent_alerts (folder, kind, key) WHERE ended_at IS NULL;
    CREATE INDEX agent_alerts_ended ON agent_alerts (ended_at) WHERE ended_at IS NOT NULL;
  `)
}
