import type Sqlite from 'better-sqlite3'

/** What people and clients outside the registry's own pages need. */
export function createReach(connection: Sqlite.Database): void {
  connection.exec(`
    -- Deprecations of approved releases.
    CREATE TABLE deprecations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      reason TEXT NOT NULL,
      -- What to use instead: NAME or NAME@VERSION.
      successor TEXT,
      deprecated_by INTEGER NOT NULL REFERENCES people (id),
      deprecated_at TEXT NOT NULL,
      withdrawn_by INTEGER REFERENCES people (id),
      withdrawn_at TEXT
    ) STRICT;
    CREATE UNIQUE INDEX deprecations_current ON deprecations (release_id) WHERE withdrawn_at IS NULL;
    CREATE INDEX deprecations_release ON deprecations (release_id, id);
    CREATE INDEX deprecations_person ON deprecations (deprecated_by, release_id);
    CREATE INDEX deprecations_made ON deprecations (deprecated_by, deprecated_at);
    CREATE INDEX deprecations_withdrawn ON deprecations (withdrawn_by, release_id) WHERE withdrawn_by IS NOT NULL;

    -- Revocations whose reasons the administrator has published in the advisories.
    CREATE TABLE published_reasons (
      decision_id INTEGER PRIMARY KEY REFERENCES decisions (id)
    ) STRICT;

    CREATE TRIGGER catalog_after_deprecation AFTER INSERT ON deprecations
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    CREATE TRIGGER catalog_after_deprecation_end AFTER UPDATE ON deprecations
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    CREATE TRIGGER desk_deprecation_insert AFTER INSERT ON deprecations
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_deprecation_update AFTER UPDATE ON deprecations
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;

    -- What a mirror knows about the registry that it copies; both tables are empty in any other registry.
    CREATE TABLE mirror (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- The address of the registry.
      origin TEXT NOT NULL,
      -- The pinned key of its transparency log, with the state that was verified last.
      log TEXT NOT NULL,
      -- The keys that signed stored attestations; the last one is the current one. Empty before it is pinned.
      keys TEXT NOT NULL,
      -- With which each former key vouches for the next.
      rotations TEXT NOT NULL,
      -- Milliseconds between two runs; null if something else starts them.
      every_ms INTEGER,
      -- All revocations until then are known.
      checked_at TEXT,
      -- Why the last run failed, or what it could not copy.
      problem TEXT
    ) STRICT;

    -- Every release that the log says was approved, with its last decision.
    CREATE TABLE mirrored_releases (
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      action TEXT NOT NULL,
      -- Whether its deprecation has changed since it was copied.
      is_stale INTEGER NOT NULL DEFAULT 0,
      -- The key that signed the attestation, and the attestation as received.
      kid TEXT,
      envelope TEXT,
      PRIMARY KEY (name, version)
    ) STRICT, WITHOUT ROWID;

    -- Pages say when the mirror was updated.
    CREATE TRIGGER catalog_after_mirror AFTER UPDATE OF checked_at ON mirror
      BEGIN UPDATE catalog_generation SET n = n + 1; END;

    -- Trusted publishing (decision 034).
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
