import type Sqlite from 'better-sqlite3'
import { eventLog } from '../log/event-log.ts'

/** The owners of names, and offers of ownership. Each name gets its first submitter as its owner. */
export function createOwners(connection: Sqlite.Database): void {
  connection.exec(`
    -- Who owned a name, and when. Rows without an end are the current owners. Rows are never deleted, and an ended one
    -- never changes. skill_names.owner_id remains the first submitter.
    CREATE TABLE name_owners (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL REFERENCES skill_names (name),
      person_id INTEGER NOT NULL REFERENCES people (id),
      since TEXT NOT NULL,
      -- The first submitter themselves, the owner who made the offer, or the administrator.
      added_by INTEGER NOT NULL REFERENCES people (id),
      -- The administrator's reason for a transfer.
      reason TEXT,
      ended_at TEXT,
      ended_by INTEGER REFERENCES people (id),
      UNIQUE (name, person_id, since)
    ) STRICT;
    CREATE UNIQUE INDEX name_owners_current ON name_owners (name, person_id) WHERE ended_at IS NULL;
    CREATE INDEX name_owners_names ON name_owners (person_id, name) WHERE ended_at IS NULL;
    CREATE INDEX name_owners_person ON name_owners (person_id);
    CREATE INDEX name_owners_added ON name_owners (added_by);
    CREATE INDEX name_owners_ended ON name_owners (ended_by) WHERE ended_by IS NOT NULL;

    CREATE TABLE owner_offers (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL REFERENCES skill_names (name),
      kind TEXT NOT NULL CHECK (kind IN ('co-owner', 'transfer')),
      offered_by INTEGER NOT NULL REFERENCES people (id),
      person_id INTEGER NOT NULL REFERENCES people (id),
      offered_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      outcome TEXT CHECK (outcome IN ('accepted', 'declined', 'withdrawn', 'expired')),
      ended_at TEXT,
      ended_by INTEGER REFERENCES people (id)
    ) STRICT;
    CREATE UNIQUE INDEX owner_offers_open ON owner_offers (name, person_id) WHERE outcome IS NULL;
    CREATE INDEX owner_offers_received ON owner_offers (person_id) WHERE outcome IS NULL;
    CREATE INDEX owner_offers_made ON owner_offers (offered_by, offered_at);

    INSERT INTO name_owners (name, person_id, since, added_by)
      SELECT n.name, n.owner_id,
        coalesce((SELECT created_at FROM releases WHERE name = n.name ORDER BY id LIMIT 1), p.created_at), n.owner_id
      FROM skill_names n JOIN people p ON p.id = n.owner_id ORDER BY n.name;

    CREATE TRIGGER catalog_after_owner_insert AFTER INSERT ON name_owners
      WHEN EXISTS (SELECT 1 FROM releases WHERE name = new.name AND status = 'approved')
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    CREATE TRIGGER catalog_after_owner_end AFTER UPDATE OF ended_at ON name_owners
      WHEN EXISTS (SELECT 1 FROM releases WHERE name = new.name AND status = 'approved')
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    -- Removed people are not shown as owners.
    CREATE TRIGGER catalog_after_removal AFTER UPDATE OF removed_at ON people
      WHEN EXISTS (SELECT 1 FROM name_owners WHERE person_id = new.id AND ended_at IS NULL)
      BEGIN UPDATE catalog_generation SET n = n + 1; END;
    CREATE TRIGGER desk_owner_insert AFTER INSERT ON name_owners
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_owner_end AFTER UPDATE OF ended_at ON name_owners
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_offer_insert AFTER INSERT ON owner_offers
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_offer_end AFTER UPDATE OF outcome ON owner_offers
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
  `)
  const log = eventLog(connection)
  const ids = connection.prepare<[], number>('SELECT id FROM name_owners ORDER BY id').pluck()
  for (const id of ids.all()) log.recordRow(`name_owners/${id}`, { imported: true })
  connection.exec(`
    INSERT INTO history (at, kind, person_id, name, ref, entry)
      SELECT o.since, 'owner.added', o.added_by, o.name, o.id, l.idx
      FROM name_owners o JOIN log_entries l ON l.subject = 'name_owners/' || o.id ORDER BY o.since, l.idx;
  `)
}
