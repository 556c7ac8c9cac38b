import type { ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

export interface DigestRelease extends ModuleRelease {
  digest: string
}

interface Row {
  id: number
  name: string
  version: string
  status: ModuleRelease['status']
  digest: string
  decidedAt: string | null
  reason: string | null
}

/** Releases by the digest of their package, which agents may run. */
export const agentModuleRepository = preparedOnce((connection: Connection) => {
  const find = connection.prepare<[string], Row>(`
    SELECT r.id, r.name, r.version, r.status, r.sha256 AS digest, d.decided_at AS decidedAt, d.reason
    FROM releases r LEFT JOIN decisions d ON d.id = r.last_decision
    WHERE r.sha256 IN (SELECT value FROM json_each(?))
    ORDER BY r.status = 'revoked' DESC, r.id DESC
  `)
  const topic = connection.prepare<[], number>("SELECT n FROM desk_topics WHERE topic = 'releases'").pluck()

  return {
    /** A revoked one before all others, then the newest. */
    listByDigests: (digests: readonly string[]): DigestRelease[] => find.all(JSON.stringify(digests)),
    /** Another number means that a release may have another status. */
    countChanges: () => topic.get() ?? 0,
  }
})
