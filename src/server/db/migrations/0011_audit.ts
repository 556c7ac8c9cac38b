import type Sqlite from 'better-sqlite3'

/**
 * The history becomes the audit log of every change: who made it, from where, and which entry of the transparency log proves it. Every row
 * stays. Changes that only the transparency log has are added, without a person, whom it didn't record.
 */
export function createAudit(connection: Sqlite.Database): void {
  connection.exec(`
    DROP TRIGGER history_submitted;
    DROP TRIGGER history_decided;
    DROP TRIGGER history_judged;
    DROP TRIGGER history_withdrawn;
    ALTER TABLE history RENAME TO former_history;

    -- ref is the decision, the dismissal or the project; entry is the index in the transparency log.
    -- details is the row of an event that is not in the transparency log, as JSON.
    CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      person_id INTEGER REFERENCES people (id),
      channel TEXT,
      address TEXT,
      name TEXT NOT NULL,
      release_id INTEGER REFERENCES releases (id),
      ref INTEGER,
      entry INTEGER,
      details TEXT,
      count INTEGER NOT NULL DEFAULT 1,
      last_at TEXT
    ) STRICT;
    INSERT INTO history (id, at, kind, person_id, name, release_id, ref, entry)
      SELECT h.id, h.at, h.kind, h.person_id, r.name, h.release_id, h.ref,
        (SELECT min(idx) FROM log_entries WHERE subject = CASE h.kind
           WHEN 'submitted' THEN 'releases/' || h.release_id
           WHEN 'judged' THEN 'judgements/' || h.ref
           WHEN 'withdrawn' THEN 'judgements/' || h.ref
           ELSE 'decisions/' || h.ref END
         AND (h.kind <> 'withdrawn' OR json_extract(entry, '$.type') = 'dismissal.withdrawn'))
      FROM former_history h JOIN releases r ON r.id = h.release_id ORDER BY h.id;
    DROP TABLE former_history;
    CREATE INDEX history_entry ON history (entry);

    WITH entries AS (
      SELECT idx, subject, json_extract(entry, '$.type') AS type, json_extract(entry, '$.at') AS at,
        json_extract(entry, '$.imported') AS imported,
        coalesce(json_extract(details, '$.row'), (SELECT json_extract(f.details, '$.row') FROM log_entries f
          WHERE f.subject = l.subject AND f.idx < l.idx AND json_extract(f.details, '$.row') IS NOT NULL
          ORDER BY f.idx DESC LIMIT 1)) AS "row",
        substr(subject, 1, instr(subject || '/', '/') - 1) AS "table",
        substr(subject, instr(subject, '/') + 1) AS key
      FROM log_entries l WHERE NOT EXISTS (SELECT 1 FROM history WHERE entry = l.idx)
    )
    INSERT INTO history (at, kind, person_id, name, release_id, ref, entry)
      SELECT
        coalesce(iif(imported, coalesce(row ->> 'created_at', row ->> 'uploaded_at', row ->> 'submitted_at'), NULL), at) AS at,
        type,
        CASE WHEN "table" = 'images' THEN row ->> 'uploaded_by'
          WHEN type IN ('project.approved', 'project.rejected') THEN row ->> 'decided_by' END,
        CASE "table" WHEN 'people' THEN row ->> 'subject'
          WHEN 'tokens' THEN coalesce((SELECT subject FROM people WHERE id = row ->> 'person_id'), '')
          WHEN 'releases' THEN row ->> 'name'
          WHEN 'decisions' THEN coalesce((SELECT name FROM releases WHERE id = row ->> 'release_id'), '')
          WHEN 'judgements' THEN row ->> 'name'
          WHEN 'posts' THEN coalesce(row ->> 'slug', 'post ' || key)
          WHEN 'projects' THEN row ->> 'slug'
          ELSE key END,
        CASE "table" WHEN 'releases' THEN CAST(key AS INTEGER)
          WHEN 'decisions' THEN row ->> 'release_id' WHEN 'judgements' THEN row ->> 'release_id' END,
        iif("table" IN ('decisions', 'judgements', 'projects'), CAST(key AS INTEGER), NULL),
        idx
      FROM entries ORDER BY 1, idx;

    CREATE INDEX history_at ON history (at);
    CREATE INDEX history_kind ON history (kind, at);
    CREATE INDEX history_person ON history (person_id, at);
    CREATE INDEX history_person_kind ON history (person_id, kind, at);
    CREATE INDEX history_name ON history (name, at);
    CREATE INDEX history_release ON history (release_id, at);
    CREATE INDEX history_address ON history (at) WHERE address IS NOT NULL;

    -- Changes of existing events; new ones are counted by their ids, because a trigger would double the cost of each.
    INSERT INTO desk_topics VALUES ('history', 1);
    CREATE TRIGGER desk_history_update AFTER UPDATE OF count ON history
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'history'; END;
    CREATE TRIGGER desk_history_delete AFTER DELETE ON history
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'history'; END;
  `)
}
