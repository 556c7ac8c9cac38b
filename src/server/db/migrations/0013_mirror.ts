import type Sqlite from 'better-sqlite3'

/** What a mirror knows about the registry that it copies; both tables are empty in any other registry. */
export function createMirror(connection: Sqlite.Database): void {
  connection.exec(`
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
  `)
}
