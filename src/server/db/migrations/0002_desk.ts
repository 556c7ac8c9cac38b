import type Sqlite from 'better-sqlite3'

export function createDesk(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE desk_sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      person_id INTEGER NOT NULL REFERENCES people (id),
      token_hash TEXT NOT NULL UNIQUE,
      label TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_seen_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      ended_at TEXT
    ) STRICT;
    CREATE INDEX desk_sessions_person ON desk_sessions (person_id, id);

    -- Without a person: the code of a first-run link.
    CREATE TABLE sign_in_codes (
      code_hash TEXT PRIMARY KEY,
      person_id INTEGER REFERENCES people (id),
      expires_at TEXT NOT NULL,
      used_at TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sign_in_codes_expiry ON sign_in_codes (expires_at);
    CREATE INDEX sign_in_codes_person ON sign_in_codes (person_id);

    -- Facts about the module from the checks at publish time, as JSON.
    CREATE TABLE release_modules (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      facts TEXT NOT NULL
    ) STRICT;

    -- The last decision on a release and the first approval of a name, for sorting and marking in the queue.
    ALTER TABLE releases ADD COLUMN last_decision INTEGER REFERENCES decisions (id);
    ALTER TABLE skill_names ADD COLUMN first_approved_at TEXT;
    UPDATE releases SET last_decision = (SELECT max(id) FROM decisions WHERE release_id = releases.id);
    UPDATE skill_names SET first_approved_at = (
      SELECT min(d.decided_at) FROM releases r JOIN decisions d ON d.release_id = r.id
      WHERE r.name = skill_names.name AND d.action = 'approved');
    CREATE TRIGGER decisions_note_last AFTER INSERT ON decisions
      BEGIN UPDATE releases SET last_decision = new.id WHERE id = new.release_id; END;
    CREATE TRIGGER decisions_note_approval AFTER INSERT ON decisions WHEN new.action = 'approved'
      BEGIN
        UPDATE skill_names SET first_approved_at = new.decided_at
        WHERE first_approved_at IS NULL AND name = (SELECT name FROM releases WHERE id = new.release_id);
      END;

    CREATE INDEX releases_name ON releases (name, id);
    CREATE INDEX releases_status_name ON releases (status, name, id);
    CREATE INDEX releases_decided ON releases (last_decision) WHERE last_decision IS NOT NULL;
    CREATE INDEX releases_status_decided ON releases (status, last_decision);
    CREATE INDEX releases_owner_status ON releases (owner_id, status);
    CREATE INDEX decisions_person ON decisions (decided_by, id);
    CREATE INDEX people_subject ON people (subject);
    CREATE INDEX people_administrators ON people (id) WHERE role = 'administrator' AND removed_at IS NULL;

    -- Removing a person, in whatever way, ends their sessions. Adding them again does not restore these.
    CREATE TRIGGER people_after_removal AFTER UPDATE OF removed_at ON people
      WHEN old.removed_at IS NULL AND new.removed_at IS NOT NULL
      BEGIN
        UPDATE desk_sessions SET ended_at = new.removed_at WHERE person_id = new.id AND ended_at IS NULL;
        UPDATE sign_in_codes SET used_at = new.removed_at WHERE person_id = new.id AND used_at IS NULL;
      END;

    -- Counts the changes that open desks need to know of. Updates of a last use don't count.
    CREATE TABLE desk_topics (topic TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO desk_topics VALUES ('releases', 1), ('people', 1);
    CREATE TRIGGER desk_release_insert AFTER INSERT ON releases
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_release_status AFTER UPDATE OF status ON releases WHEN old.status <> new.status
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_decision AFTER INSERT ON decisions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_publisher AFTER UPDATE OF name ON people WHEN old.name IS NOT new.name
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_person_insert AFTER INSERT ON people
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
    CREATE TRIGGER desk_person_update AFTER UPDATE ON people
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
    CREATE TRIGGER desk_token_insert AFTER INSERT ON tokens
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
    CREATE TRIGGER desk_token_update AFTER UPDATE OF label, scope, expires_at, revoked_at ON tokens
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
    CREATE TRIGGER desk_session_insert AFTER INSERT ON desk_sessions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
    CREATE TRIGGER desk_session_end AFTER UPDATE OF ended_at ON desk_sessions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'people'; END;
  `)
}
