import type { AlertKind, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Database } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

const maxProjects = 50

/** Recently used agent projects. */
export const agentProjectRepository = preparedOnce(
  ({ reader, writer }: Pick<Database, 'reader' | 'writer'>) => {
    const list = reader.prepare<[], { folder: string }>(
      `SELECT folder FROM agent_projects ORDER BY shown_at DESC, folder LIMIT ${maxProjects}`,
    )
    const show = writer.prepare<[string, string]>(
      `INSERT INTO agent_projects (folder, shown_at) VALUES (?, ?)
     ON CONFLICT (folder) DO UPDATE SET shown_at = excluded.shown_at`,
    )
    const forget = writer.prepare<[string]>('DELETE FROM agent_projects WHERE folder = ?')

    return {
      list: () => list.all(),
      show: (folder: string, at: string) => show.run(folder, at),
      forget: (folder: string) => forget.run(folder),
    }
  },
)

export interface StoredAlert {
  id: number
  folder: string
  kind: AlertKind
  key: string
  since: string
  firstSeenAt: string
  toldAt: string | null
  seenAt: string | null
  seenRows: number | null
}

/** All SQL about alerts of agent projects. */
export const agentAlertRepository = preparedOnce(
  ({ reader, writer }: Pick<Database, 'reader' | 'writer'>) => {
    const listOpen = reader.prepare<[string], StoredAlert>(
      `SELECT id, folder, kind, key, since, first_seen_at AS firstSeenAt, told_at AS toldAt, seen_at AS seenAt,
         seen_rows AS seenRows
       FROM agent_alerts WHERE folder = ? AND ended_at IS NULL`,
    )
    const write = <Values extends unknown[]>(sql: string): ((...values: Values) => void) => {
      const statement = writer.prepare<Values>(sql)
      return (...values) => void statement.run(...values)
    }

    return {
      listOpen: (folder: string) => listOpen.all(folder),
      insert: write<[folder: string, kind: AlertKind, key: string, since: string, firstSeenAt: string]>(
        `INSERT INTO agent_alerts (folder, kind, key, since, first_seen_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
      ),
      end: write<[at: string, id: number]>('UPDATE agent_alerts SET ended_at = ? WHERE id = ?'),
      markNotified: write<[at: string, id: number]>('UPDATE agent_alerts SET told_at = ? WHERE id = ?'),
      acknowledge: write<[at: string, by: number, rows: number, id: number]>(
        'UPDATE agent_alerts SET seen_at = ?, seen_by = ?, seen_rows = ? WHERE id = ? AND ended_at IS NULL',
      ),
      /** Makes the alert new again: not acknowledged, and without a notification. */
      reopen: write<[id: number]>(
        'UPDATE agent_alerts SET seen_at = NULL, seen_by = NULL, seen_rows = NULL, told_at = NULL WHERE id = ?',
      ),
      /** Deletes alerts that ended before this time. */
      forgetEnded: write<[before: string]>('DELETE FROM agent_alerts WHERE ended_at < ?'),
    }
  },
)

/** Registry releases that agents run, by the digest of their module. */
export function createAgentModules(database: Pick<Database, 'reader' | 'assertAvailable'>) {
  const find = database.reader.prepare<[string], ModuleRelease & { digest: string }>(`
    SELECT r.id, r.name, r.version, r.status, d.decided_at AS decidedAt, d.reason, r.sha256 AS digest
    FROM releases r LEFT JOIN decisions d ON d.id = r.last_decision
    WHERE r.sha256 IN (SELECT value FROM json_each(?))
    ORDER BY r.status = 'revoked' DESC, r.id DESC
  `)
  const topic = database.reader
    .prepare<[], number>("SELECT n FROM desk_topics WHERE topic = 'releases'")
    .pluck()

  /** Revoked ones first, then the newest. */
  const findReleases = (digests: readonly string[]): Map<string, ModuleRelease[]> => {
    database.assertAvailable()
    const rows = find.all(JSON.stringify([...new Set(digests)]))
    const found = Map.groupBy(rows, ({ digest }) => digest)
    return new Map(
      [...found].map(([digest, own]) => [digest, own.map(({ digest: _digest, ...release }) => release)]),
    )
  }

  return {
    findReleases,
    /** Those of these digests that have a revoked release, with that release. */
    findRevoked: (digests: readonly string[]): Map<string, ModuleRelease> =>
      new Map(
        [...findReleases(digests)].flatMap(([digest, [first]]) =>
          first?.status === 'revoked' ? [[digest, first] as const] : [],
        ),
      ),
    /** Changes when any release may have changed its status. */
    countChanges: () => topic.get() ?? 0,
  }
}

export type AgentModules = ReturnType<typeof createAgentModules>
