import type Sqlite from 'better-sqlite3'

/** Sessions of the remote desk belong to it alone; all earlier ones belong to the local listener. */
export function createRemoteSessions(connection: Sqlite.Database): void {
  connection.exec(
    'ALTER TABLE desk_sessions ADD COLUMN remote INTEGER NOT NULL DEFAULT 0 CHECK (remote IN (0, 1))',
  )
}
