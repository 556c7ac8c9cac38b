import type Sqlite from 'better-sqlite3'

/** Deprecations of approved releases, and the revocations whose reasons are public. */
export function createDeprecations(connection: Sqlite.Database): void {
  connection.exec(`
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
  `)
}
