import type Sqlite from 'better-sqlite3'

/** Passkeys for signing in to the desk. */
export function createPasskeys(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE passkeys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      person_id INTEGER NOT NULL REFERENCES people (id),
      -- Both in base64url; the key in COSE's format.
      credential_id TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      signatures INTEGER NOT NULL,
      label TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT,
      removed_at TEXT
    ) STRICT;
    CREATE INDEX passkeys_person ON passkeys (person_id, id);

    -- As for desk sessions: adding a person again does not restore their passkeys.
    CREATE TRIGGER people_passkeys_after_removal AFTER UPDATE OF removed_at ON people
      WHEN old.removed_at IS NULL AND new.removed_at IS NOT NULL
      BEGIN UPDATE passkeys SET removed_at = new.removed_at WHERE person_id = new.id AND removed_at IS NULL; END;

    CREATE TRIGGER desk_passkey_insert AFTER INSERT ON passkeys
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
    CREATE TRIGGER desk_passkey_removal AFTER UPDATE OF removed_at ON passkeys
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
  `)
}
