import type Sqlite from 'better-sqlite3'

export function createRegistry(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE people (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      name TEXT,
      role TEXT NOT NULL CHECK (role IN ('developer', 'administrator')),
      created_at TEXT NOT NULL,
      removed_at TEXT,
      UNIQUE (issuer, subject)
    ) STRICT;

    CREATE TABLE tokens (
      jti TEXT PRIMARY KEY,
      person_id INTEGER NOT NULL REFERENCES people (id),
      label TEXT NOT NULL,
      scope TEXT CHECK (scope IN ('publish', 'admin')),
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      revoked_at TEXT,
      last_used_at TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_person ON tokens (person_id, created_at);

    -- A name belongs to the person who first submitted it, even if no release was ever approved.
    CREATE TABLE skill_names (
      name TEXT PRIMARY KEY,
      owner_id INTEGER NOT NULL REFERENCES people (id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE releases (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL REFERENCES skill_names (name),
      version TEXT NOT NULL,
      owner_id INTEGER NOT NULL REFERENCES people (id),
      sha256 TEXT NOT NULL,
      size INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'revoked')),
      created_at TEXT NOT NULL,
      review_reason TEXT,
      UNIQUE (name, version)
    ) STRICT;
    CREATE INDEX releases_owner ON releases (owner_id, id);
    CREATE INDEX releases_status ON releases (status, id);
    CREATE INDEX releases_digest ON releases (sha256);
    CREATE INDEX releases_catalog ON releases (id) WHERE status = 'approved';
    CREATE INDEX releases_latest ON releases (name, id) WHERE status = 'approved';

    -- The stored manifest, and the serialized answer of every endpoint that returns one release.
    CREATE TABLE release_manifests (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      manifest BLOB NOT NULL
    ) STRICT;
    CREATE TABLE release_bodies (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      body BLOB NOT NULL
    ) STRICT;

    CREATE TABLE decisions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      action TEXT NOT NULL CHECK (action IN ('approved', 'rejected', 'revoked')),
      reason TEXT NOT NULL,
      decided_by INTEGER NOT NULL REFERENCES people (id),
      decided_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX decisions_release ON decisions (release_id, id);

    -- Search: the folded text of each approved release, and its n-grams of one to three letters as tokens.
    CREATE TABLE release_texts (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      text TEXT NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE release_grams USING fts5 (
      grams, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none
    );

    -- Incremented by every public change; caches are valid for one generation.
    CREATE TABLE catalog_generation (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL) STRICT;
    INSERT INTO catalog_generation VALUES (1, 1);
    CREATE TRIGGER catalog_after_insert AFTER INSERT ON releases WHEN new.status = 'approved'
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    CREATE TRIGGER catalog_after_update AFTER UPDATE ON releases
      WHEN old.status = 'approved' OR new.status = 'approved'
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    CREATE TRIGGER catalog_after_rename AFTER UPDATE OF name ON people
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
  `)
}
