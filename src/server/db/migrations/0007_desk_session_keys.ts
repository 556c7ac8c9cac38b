import type Sqlite from 'better-sqlite3'

/**
 * Ends every desk session begun before session keys moved from a cookie to a header: any service on this computer may
 * have been sent that cookie (docs/decisions/011-desk-sessions.md).
 */
export function endCookieSessions(connection: Sqlite.Database): void {
  connection
    .prepare('UPDATE desk_sessions SET ended_at = ? WHERE ended_at IS NULL')
    .run(new Date().toISOString())
}
