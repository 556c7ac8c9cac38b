import type Sqlite from 'better-sqlite3'
import { createFirstApprovals } from './0012_first_approvals.ts'
import { createMailSubscriptions } from './0012_mail_subscriptions.ts'
import { createNotifications } from './0012_notifications.ts'
import { createOwners } from './0012_owners.ts'
import { createPasskeys } from './0012_passkeys.ts'
import { createRemoteSessions } from './0012_remote_sessions.ts'
import { createThread } from './0012_thread.ts'

/** What several reviewers on their own computers need. */
export function createTeams(connection: Sqlite.Database): void {
  createRemoteSessions(connection)
  createPasskeys(connection)
  createFirstApprovals(connection)
  createOwners(connection)
  createThread(connection)
  createNotifications(connection)
  createMailSubscriptions(connection)
}
