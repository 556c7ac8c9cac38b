import type Sqlite from 'better-sqlite3'

/** Webhooks, and the queue and log of deliveries. */
export function createNotifications(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE webhooks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      -- Separated by commas.
      events TEXT NOT NULL,
      -- Encrypted with a key that is not in the database.
      secret TEXT NOT NULL,
      created_at TEXT NOT NULL,
      disabled_at TEXT
    ) STRICT;

    -- One notification to one recipient. Pending ones are the queue, the others the log.
    CREATE TABLE deliveries (
      id INTEGER PRIMARY KEY,
      -- webhook/ID, or person/ID
      recipient TEXT NOT NULL,
      message_id TEXT NOT NULL,
      event TEXT NOT NULL,
      body TEXT NOT NULL,
      created_at TEXT NOT NULL,
      status TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      attempted_at TEXT,
      duration_ms INTEGER,
      answer_status INTEGER,
      problem TEXT,
      next_at TEXT
    ) STRICT;
    CREATE INDEX deliveries_recipient ON deliveries (recipient, status, id);
    CREATE INDEX deliveries_next ON deliveries (next_at) WHERE next_at IS NOT NULL;
  `)
}
