import type { ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Database } from '../../db/database.ts'

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
