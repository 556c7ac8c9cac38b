import type Sqlite from 'better-sqlite3'

/**
 * Ends all desk sessions from before session keys moved from a cookie to a header: browsers may have sent the cookie to
 * any service on this computer (docs/decisions/011-desk-sessions.md).
 */
export function endCookieSessions(connection: Sqlite.Database): void {
  connection
    .prepare('UPDATE desk_sessions SET ended_at = ? WHERE ended_at IS NULL')
    .run(new Date().toISOString())
}
