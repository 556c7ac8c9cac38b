import type { ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Database } from '../../db/database.ts'
import { agentModuleRepository } from './agent-modules.repository.ts'

/** The registry's releases that agents run, by the digests of their modules. */
export function createAgentModules(database: Database) {
  const repository = agentModuleRepository(database.reader)

  /** Newest first, a revoked one before all others. */
  const findReleases = (digests: readonly string[]): Map<string, ModuleRelease[]> => {
    database.assertAvailable()
    const found = new Map<string, ModuleRelease[]>()
    for (const { digest, ...release } of repository.listByDigests([...new Set(digests)])) {
      const own = found.get(digest)
      if (own === undefined) found.set(digest, [release])
      else own.push(release)
    }
    return found
  }

  return {
    findReleases,
    /** Of these digests those of which a release is revoked, with that release. */
    findRevoked: (digests: readonly string[]): Map<string, ModuleRelease> =>
      new Map(
        [...findReleases(digests)].flatMap(([digest, releases]) => {
          const revoked = releases.find(({ status }) => status === 'revoked')
          return revoked === undefined ? [] : [[digest, revoked] as const]
        }),
      ),
    countChanges: repository.countChanges,
  }
}

export type AgentModules = ReturnType<typeof createAgentModules>
