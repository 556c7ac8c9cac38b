import type Sqlite from 'better-sqlite3'
import { skeletonOf } from '../../../shared/findings/near-name.ts'

/** Data that the checks look up besides the release, and the history of all events. */
export function createHistory(connection: Sqlite.Database): void {
  connection.exec(`
    -- Names with the same skeleton look alike (skeletonOf). A change of that function must refill this column.
    ALTER TABLE skill_names ADD COLUMN skeleton TEXT;
    CREATE INDEX skill_names_skeleton ON skill_names (skeleton);
    CREATE INDEX people_shown ON people (lower(name));

    -- Written only by triggers. ref is the decision or the dismissal.
    CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      kind TEXT NOT NULL
        CHECK (kind IN ('submitted', 'approved', 'rejected', 'revoked', 'judged', 'withdrawn')),
      person_id INTEGER NOT NULL REFERENCES people (id),
      release_id INTEGER NOT NULL REFERENCES releases (id),
      ref INTEGER
    ) STRICT;
    INSERT INTO history (at, kind, person_id, release_id, ref)
      SELECT created_at, 'submitted', owner_id, id, NULL FROM releases
      UNION ALL SELECT decided_at, action, decided_by, release_id, id FROM decisions
      ORDER BY 1;
    CREATE INDEX history_at ON history (at);
    CREATE INDEX history_kind ON history (kind, at);
    CREATE INDEX history_person ON history (person_id, at);
    CREATE INDEX history_person_kind ON history (person_id, kind, at);
    CREATE INDEX history_release ON history (release_id, at);
    CREATE TRIGGER history_submitted AFTER INSERT ON releases
      BEGIN
        INSERT INTO history (at, kind, person_id, release_id)
        VALUES (new.created_at, 'submitted', new.owner_id, new.id);
      END;
    CREATE TRIGGER history_decided AFTER INSERT ON decisions
      BEGIN
        INSERT INTO history (at, kind, person_id, release_id, ref)
        VALUES (new.decided_at, new.action, new.decided_by, new.release_id, new.id);
      END;
    CREATE TRIGGER history_judged AFTER INSERT ON judgements
      BEGIN
        INSERT INTO history (at, kind, person_id, release_id, ref)
        VALUES (new.judged_at, 'judged', new.judged_by, new.release_id, new.id);
      END;
    CREATE TRIGGER history_withdrawn AFTER UPDATE OF withdrawn_at ON judgements
      WHEN old.withdrawn_at IS NULL AND new.withdrawn_at IS NOT NULL
      BEGIN
        INSERT INTO history (at, kind, person_id, release_id, ref)
        VALUES (new.withdrawn_at, 'withdrawn', new.withdrawn_by, new.release_id, new.id);
      END;
  `)
  const names = connection.prepare<[], string>('SELECT name FROM skill_names').pluck().all()
  const update = connection.prepare('UPDATE skill_names SET skeleton = ? WHERE name = ?')
  for (const name of names) update.run(skeletonOf(name), name)
}
