import type { AlertKind, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import { repository } from '../../db/repository.ts'

const maxProjects = 50

/** Recently used agent projects. */
export const agentProjectRepository = repository((sql) => ({
  list: sql.listValues<[], string>(
    `SELECT folder FROM agent_projects ORDER BY shown_at DESC, folder LIMIT ${maxProjects}`,
  ),
  show: sql.run<[folder: string, at: string]>(`
    INSERT INTO agent_projects (folder, shown_at) VALUES (?, ?)
    ON CONFLICT (folder) DO UPDATE SET shown_at = excluded.shown_at`),
  forget: sql.run<[folder: string]>('DELETE FROM agent_projects WHERE folder = ?'),
}))

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
export const agentAlertRepository = repository((sql) => ({
  listOpen: sql.list<[folder: string], StoredAlert>(`
    SELECT id, folder, kind, key, since, first_seen_at AS firstSeenAt, told_at AS toldAt, seen_at AS seenAt,
      seen_rows AS seenRows
    FROM agent_alerts WHERE folder = ? AND ended_at IS NULL`),
  insert: sql.run<[folder: string, kind: AlertKind, key: string, since: string, firstSeenAt: string]>(`
    INSERT INTO agent_alerts (folder, kind, key, since, first_seen_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`),
  end: sql.run<[at: string, id: number]>('UPDATE agent_alerts SET ended_at = ? WHERE id = ?'),
  markNotified: sql.run<[at: string, id: number]>('UPDATE agent_alerts SET told_at = ? WHERE id = ?'),
  acknowledge: sql.run<[at: string, by: number, rows: number, id: number]>(
    'UPDATE agent_alerts SET seen_at = ?, seen_by = ?, seen_rows = ? WHERE id = ? AND ended_at IS NULL',
  ),
  /** Makes the alert new again: not acknowledged, and without a notification. */
  reopen: sql.run<[id: number]>(
    'UPDATE agent_alerts SET seen_at = NULL, seen_by = NULL, seen_rows = NULL, told_at = NULL WHERE id = ?',
  ),
  /** Deletes alerts that ended before this time. */
  forgetEnded: sql.run<[before: string]>('DELETE FROM agent_alerts WHERE ended_at < ?'),
}))

/** Registry releases that agents run, by the digest of their module. */
export const agentModuleRepository = repository((sql) => {
  const find = sql.listIn<string, ModuleRelease & { digest: string }>(`
    SELECT r.id, r.name, r.version, r.status, d.decided_at AS decidedAt, d.reason, r.sha256 AS digest
    FROM releases r LEFT JOIN decisions d ON d.id = r.last_decision
    WHERE r.sha256 IN (SELECT value FROM json_each(?))
    ORDER BY r.status = 'revoked' DESC, r.id DESC`)

  /** Revoked ones first, then the newest. */
  const findReleases = (digests: readonly string[]): Map<string, ModuleRelease[]> => {
    const found = Map.groupBy(find([...new Set(digests)]), ({ digest }) => digest)
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
    countChanges: sql.count<[]>("SELECT n FROM desk_topics WHERE topic = 'releases'"),
  }
})

export type AgentModules = ReturnType<typeof agentModuleRepository>
