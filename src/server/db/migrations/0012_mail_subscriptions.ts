import type Sqlite from 'better-sqlite3'

/** Addresses for e-mail notifications, and which events each person chose. */
export function createMailSubscriptions(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE mail_subscriptions (
      person_id INTEGER PRIMARY KEY REFERENCES people (id),
      address TEXT NOT NULL,
      -- Separated by commas.
      events TEXT NOT NULL,
      -- Until then, only the code is sent to the address.
      verified_at TEXT,
      code TEXT,
      code_expires_at TEXT,
      wrong_codes INTEGER NOT NULL
    ) STRICT;

    CREATE TRIGGER mail_subscriptions_end AFTER UPDATE OF removed_at ON people
    WHEN new.removed_at IS NOT NULL
    BEGIN DELETE FROM mail_subscriptions WHERE person_id = new.id; END;
  `)
}
