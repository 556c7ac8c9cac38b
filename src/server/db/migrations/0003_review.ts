import type Sqlite from 'better-sqlite3'
import { createHistory } from './0003_history.ts'
import { initialReasons } from './0003_reasons.ts'

export function createReview(connection: Sqlite.Database): void {
  connection.exec(`
    -- The findings of a release as JSON, with the numbers of open ones, and its capabilities that the last
    -- approved release did not have (growth).
    CREATE TABLE release_checks (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      version TEXT NOT NULL,
      checked_at TEXT NOT NULL,
      findings TEXT NOT NULL,
      errors INTEGER NOT NULL,
      warnings INTEGER NOT NULL,
      growth TEXT NOT NULL,
      -- Data outside of the release has changed, so the release must be checked again.
      stale INTEGER NOT NULL CHECK (stale IN (0, 1))
    ) STRICT;
    CREATE INDEX release_checks_stale ON release_checks (release_id) WHERE stale = 1;

    -- Dismissals. A dismissed finding stays dismissed for the name as long as its fingerprint is the same.
    CREATE TABLE judgements (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL REFERENCES skill_names (name),
      check_id TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      reason TEXT NOT NULL,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      judged_by INTEGER NOT NULL REFERENCES people (id),
      judged_at TEXT NOT NULL,
      withdrawn_by INTEGER REFERENCES people (id),
      withdrawn_at TEXT
    ) STRICT;
    CREATE UNIQUE INDEX judgements_standing ON judgements (name, fingerprint) WHERE withdrawn_at IS NULL;
    CREATE INDEX judgements_release ON judgements (release_id);

    -- Decisions that can still be undone. Only the server of the data folder carries them out.
    CREATE TABLE held_decisions (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      action TEXT NOT NULL CHECK (action IN ('approved', 'rejected')),
      reason TEXT NOT NULL,
      decided_by INTEGER NOT NULL REFERENCES people (id),
      held_at TEXT NOT NULL,
      due_at TEXT NOT NULL,
      evidence TEXT NOT NULL
    ) STRICT;

    -- Held decisions that were not carried out; shown to the person who decided until dismissed.
    CREATE TABLE lost_decisions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      action TEXT NOT NULL CHECK (action IN ('approved', 'rejected')),
      reason TEXT NOT NULL,
      decided_by INTEGER NOT NULL REFERENCES people (id),
      held_at TEXT NOT NULL,
      cause TEXT NOT NULL CHECK (cause IN ('stopped', 'overtaken', 'grown', 'barred')),
      dismissed_at TEXT
    ) STRICT;
    CREATE INDEX lost_decisions_person ON lost_decisions (decided_by, id) WHERE dismissed_at IS NULL;

    -- The evidence of decisions made in the desk, as JSON.
    CREATE TABLE decision_evidence (
      decision_id INTEGER PRIMARY KEY REFERENCES decisions (id),
      evidence TEXT NOT NULL
    ) STRICT;

    CREATE TABLE canned_reasons (
      position INTEGER PRIMARY KEY,
      action TEXT NOT NULL CHECK (action IN ('approved', 'rejected', 'revoked')),
      label TEXT NOT NULL,
      sentence TEXT NOT NULL
    ) STRICT;

    CREATE INDEX releases_owner_decided ON releases (owner_id, last_decision) WHERE last_decision IS NOT NULL;

    -- Complete downloads of an approved release, written in batches.
    CREATE TABLE release_downloads (
      release_id INTEGER PRIMARY KEY REFERENCES releases (id),
      n INTEGER NOT NULL
    ) STRICT;

    CREATE TRIGGER desk_held_insert AFTER INSERT ON held_decisions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_held_delete AFTER DELETE ON held_decisions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_lost_insert AFTER INSERT ON lost_decisions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_lost_update AFTER UPDATE ON lost_decisions
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_checks_insert AFTER INSERT ON release_checks
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_checks_update AFTER UPDATE ON release_checks
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_judgement_insert AFTER INSERT ON judgements
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_judgement_update AFTER UPDATE ON judgements
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_reasons_insert AFTER INSERT ON canned_reasons
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_reasons_delete AFTER DELETE ON canned_reasons
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
  `)
  createHistory(connection)
  const insert = connection.prepare('INSERT INTO canned_reasons VALUES (?, ?, ?, ?)')
  for (const [position, reason] of initialReasons.entries()) insert.run(position, ...reason)
}
