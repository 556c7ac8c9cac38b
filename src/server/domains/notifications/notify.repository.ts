import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'
import type { ReviewAction } from '../../../shared/contracts/decisions.ts'
import { repository } from '../../db/repository.ts'

/** What a notification says about a release. */
interface NotedRelease {
  id: number
  name: string
  version: string
  status: ReleaseStatus
  ownerId: number
  ownerName: string | null
}

/** The row that an event is about: a release, a decision or a message of the conversation. */
interface Source {
  releaseId: number
  /** Who submitted, decided, asked or answered. */
  actorId: number
  decision: ReviewAction | null
}

/** An ownership that an administrator ended by a transfer. */
interface LostName {
  name: string
  personId: number
  personName: string | null
  administratorId: number
  newOwnerId: number
  newOwnerName: string | null
  reason: string
}

/** Reads what events of the transparency log are about. */
export const notifyRepository = repository((sql) => {
  // Only a transfer by an administrator has a reason.
  const sources = {
    releases: sql.find<[id: number], Source>(
      'SELECT id AS releaseId, owner_id AS actorId, NULL AS decision FROM releases WHERE id = ?',
    ),
    decisions: sql.find<[id: number], Source>(
      'SELECT release_id AS releaseId, decided_by AS actorId, action AS decision FROM decisions WHERE id = ?',
    ),
    review_messages: sql.find<[id: number], Source>(
      'SELECT release_id AS releaseId, author_id AS actorId, NULL AS decision FROM review_messages WHERE id = ?',
    ),
  }

  return {
    findRelease: sql.find<[id: number], NotedRelease>(`
      SELECT r.id, r.name, r.version, r.status, r.owner_id AS ownerId, p.name AS ownerName
      FROM releases r JOIN people p ON p.id = r.owner_id WHERE r.id = ?`),
    /** The current owners of a name. */
    listOwners: sql.listValues<[name: string], number>(
      'SELECT person_id FROM name_owners WHERE name = ? AND ended_at IS NULL',
    ),
    /** Null for an ownership that ended in another way. */
    findLostName: sql.find<[ownerId: number], LostName>(`
    SELECT o.name, o.person_id AS personId, p.name AS personName, o.ended_by AS administratorId,
      n.person_id AS newOwnerId, q.name AS newOwnerName, n.reason
    FROM name_owners o JOIN people p ON p.id = o.person_id
    JOIN name_owners n ON n.name = o.name AND n.ended_at IS NULL AND n.reason IS NOT NULL
    JOIN people q ON q.id = n.person_id
    WHERE o.id = ? AND o.ended_by <> o.person_id AND n.person_id <> o.person_id`),
    /** `subject` is that of the entry: `TABLE/KEY`. */
    findSource(subject: string): Source | null {
      const [table = '', key] = subject.split('/', 2)
      return sources[table as keyof typeof sources]?.(Number(key)) ?? null
    },
  }
})
