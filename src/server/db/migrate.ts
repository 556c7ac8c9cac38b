import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { createRegistry } from './migrations/0001_registry.ts'
import { createDesk } from './migrations/0002_desk.ts'
import { createReview } from './migrations/0003_review.ts'
import { createContent } from './migrations/0004_content.ts'
import { createAgents } from './migrations/0005_agents.ts'
import { createDeletedProjects } from './migrations/0006_deleted_projects.ts'
import { endCookieSessions } from './migrations/0007_desk_session_keys.ts'
import { createListOrders } from './migrations/0008_list_orders.ts'
import { createLog } from './migrations/0009_log.ts'
import { addRoles } from './migrations/0010_roles.ts'
import { createAudit } from './migrations/0011_audit.ts'
import { createTeams } from './migrations/0012_teams.ts'
import { createReach } from './migrations/0013_reach.ts'
import { createApprovedReleases } from './migrations/0014_approved_releases.ts'
import { openConfigured } from './open.ts'

export interface Migration {
  /** Position in the list of migrations, from 1; `PRAGMA user_version` after it has run. */
  version: number
  name: string
  up(connection: Sqlite.Database): void
}

export const migrations: readonly Migration[] = [
  { version: 1, name: 'registry', up: createRegistry },
  { version: 2, name: 'desk', up: createDesk },
  { version: 3, name: 'review', up: createReview },
  { version: 4, name: 'content', up: createContent },
  { version: 5, name: 'agents', up: createAgents },
  { version: 6, name: 'deleted-projects', up: createDeletedProjects },
  { version: 7, name: 'desk-session-keys', up: endCookieSessions },
  { version: 8, name: 'list-orders', up: createListOrders },
  { version: 9, name: 'log', up: createLog },
  { version: 10, name: 'roles', up: addRoles },
  { version: 11, name: 'audit', up: createAudit },
  { version: 12, name: 'teams', up: createTeams },
  { version: 13, name: 'reach', up: createReach },
  { version: 14, name: 'approved-releases', up: createApprovedReleases },
]

/** `PRAGMA user_version` of a database created or migrated by this program. */
export const newestVersion = migrations.at(-1)?.version ?? 0

export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

/**
 * Creates the database at `path` in one transaction, or migrates it to the newest version, with each migration in its
 * own transaction and after a backup to `backupFolder`. The caller holds the data folder's initialization lock. Throws
 * NewerDatabaseError for a database of a newer Skilldock.
 */
export function migrate(path: string, backupFolder: string, steps = migrations): void {
  const connection = openConfigured(path, { timeoutMs: 10_000, create: true })
  try {
    const current = Number(connection.pragma('user_version', { simple: true }))
    // Also true for the empty file that is left if the process is killed here.
    if (current === 0) {
      // 16 KiB pages hold a whole release; see docs/decisions/003.
      connection.pragma('page_size = 16384')
      connection.pragma('journal_mode = WAL')
    }
    const newest = steps.at(-1)?.version ?? 0
    if (current > newest) {
      throw new NewerDatabaseError(
        `The database was written by a newer Skilldock (version ${current}, but this program supports ${newest}). ` +
          'Start the newer program, or restore a backup from this version.',
      )
    }
    const missing = steps.filter((step) => step.version > current)
    if (current > 0 && missing.length > 0) backUp(connection, backupFolder, current)
    const run = (): void => {
      for (const step of missing) {
        connection.transaction(() => {
          step.up(connection)
          connection.pragma(`user_version = ${step.version}`)
        })()
      }
    }
    // A new database has no finished steps to keep, and one transaction waits for the disk only once.
    if (current === 0) connection.transaction(run)()
    else run()
  } finally {
    connection.close()
  }
}

/** An empty database of the newest version in memory; the caller closes it. */
export function createModelDatabase(): Sqlite.Database {
  const connection = openConfigured(':memory:', { timeoutMs: 0, create: true })
  for (const step of migrations) step.up(connection)
  return connection
}

function backUp(connection: Sqlite.Database, folder: string, version: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  connection.prepare('VACUUM INTO ?').run(join(folder, `before-migration-from-${version}-${time}.db`))
}
