import type { ReleaseStatus, ReviewAction } from '../../../shared/contracts/releases.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** What a notification says about a release. */
export interface NotedRelease {
  id: number
  name: string
  version: string
  status: ReleaseStatus
  ownerId: number
  ownerName: string | null
}

export interface NotedDecision {
  releaseId: number
  action: ReviewAction
}

/** Reads what events of the transparency log are about. */
export const notifyRepository = preparedOnce((connection: Connection) => {
  const release = connection.prepare<[number], NotedRelease>(`
    SELECT r.id, r.name, r.version, r.status, r.owner_id AS ownerId, p.name AS ownerName
    FROM releases r JOIN people p ON p.id = r.owner_id WHERE r.id = ?`)
  const decision = connection.prepare<[number], NotedDecision>(
    'SELECT release_id AS releaseId, action FROM decisions WHERE id = ?',
  )

  return {
    findRelease: (id: number) => release.get(id) ?? null,
    findDecision: (id: number) => decision.get(id) ?? null,
  }
})
