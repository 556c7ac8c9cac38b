import type Sqlite from 'better-sqlite3'

/** The conversation about a release under review, and the findings that its rejection was based on. */
export function createThread(connection: Sqlite.Database): void {
  connection.exec(`
    -- about is JSON: the finding or function that the message refers to.
    CREATE TABLE review_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      kind TEXT NOT NULL CHECK (kind IN ('question', 'answer')),
      author_id INTEGER NOT NULL REFERENCES people (id),
      at TEXT NOT NULL,
      text TEXT NOT NULL,
      about TEXT,
      -- Only of a question. Resolved by the publisher's next answer, or by a reviewer.
      requests_changes INTEGER NOT NULL CHECK (requests_changes IN (0, 1)),
      resolved_by INTEGER REFERENCES people (id),
      resolved_at TEXT
    ) STRICT;
    CREATE INDEX review_messages_release ON review_messages (release_id, id);
    CREATE INDEX review_messages_author ON review_messages (author_id, at);

    -- The findings that were open when a release was rejected, as JSON.
    CREATE TABLE decision_findings (
      decision_id INTEGER PRIMARY KEY REFERENCES decisions (id),
      findings TEXT NOT NULL
    ) STRICT;

    CREATE TRIGGER desk_message_insert AFTER INSERT ON review_messages
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
    CREATE TRIGGER desk_message_update AFTER UPDATE ON review_messages
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'releases'; END;
  `)
}
