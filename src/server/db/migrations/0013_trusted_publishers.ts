import type Sqlite from 'better-sqlite3'

/** Trusted publishing (decision 034). */
export function createTrustedPublishers(connection: Sqlite.Database): void {
  connection.exec(`
    -- The jobs that may publish a name. They are trusted as long as the person who added them owns the name without an
    -- interruption. Rows are never deleted.
    CREATE TABLE trusted_publishers (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner_id INTEGER NOT NULL REFERENCES name_owners (id),
      -- JSON: the claims that a job's identity token must have.
      identity TEXT NOT NULL,
      -- JSON: ids of the repository and its owner, from the first token.
      pins TEXT,
      added_at TEXT NOT NULL,
      removed_at TEXT,
      removed_by INTEGER REFERENCES people (id)
    ) STRICT;
    CREATE INDEX trusted_publishers_active ON trusted_publishers (owner_id) WHERE removed_at IS NULL;

    -- Identity tokens that were exchanged, each once, and the tokens that were issued for them.
    CREATE TABLE token_exchanges (
      jti TEXT PRIMARY KEY,
      publisher_id INTEGER NOT NULL REFERENCES trusted_publishers (id),
      -- SHA-256 of what the issuer signed.
      token_hash TEXT NOT NULL,
      provenance TEXT NOT NULL,
      exchanged_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      UNIQUE (token_hash, publisher_id)
    ) STRICT;
    CREATE INDEX token_exchanges_end ON token_exchanges (expires_at);
    CREATE INDEX token_exchanges_publisher ON token_exchanges (publisher_id, exchanged_at);

    -- Of releases that came by trusted publishing.
    CREATE TABLE release_provenance (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      provenance TEXT NOT NULL
    ) STRICT;

    CREATE TRIGGER desk_publisher_insert AFTER INSERT ON trusted_publishers
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_publisher_update AFTER UPDATE ON trusted_publishers
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
  `)
}
