import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import { repository } from '../../../db/repository.ts'

export type OwnReleaseRow = Omit<
  OwnRelease,
  | 'place'
  | 'waiting'
  | 'findings'
  | 'firstApproval'
  | 'rejectedFor'
  | 'thread'
  | 'deprecation'
  | 'submittedBy'
> & {
  ownerId: number
  ownerName: string | null
  /** Whether the person owns the name now (0 or 1). */
  isOwner: number
}

/**
 * The releases of others for names that the person owns. Only names that have had another owner can have any, so a person with
 * many names of their own reads few releases here.
 */
const ofOthers = `SELECT r.id FROM name_owners o CROSS JOIN releases r ON r.name = o.name AND r.owner_id <> @person
  WHERE o.person_id = @person AND o.ended_at IS NULL
    AND EXISTS (SELECT 1 FROM name_owners other WHERE other.name = o.name AND other.person_id <> @person)`

/** SQL about a person's own releases. */
export const ownReleaseRepository = repository((sql) => ({
  listOwn: sql.list<[{ person: number; offset: number; limit: number }], OwnReleaseRow>(`
      WITH page AS (SELECT id FROM releases WHERE owner_id = @person UNION ALL ${ofOthers}
        ORDER BY id DESC LIMIT @limit OFFSET @offset)
      SELECT r.id, r.name, r.version, r.status, r.size, r.sha256, r.created_at AS createdAt,
        r.review_reason AS reviewReason, p.id AS ownerId, p.name AS ownerName,
        EXISTS (SELECT 1 FROM name_owners o
          WHERE o.person_id = @person AND o.name = r.name AND o.ended_at IS NULL) AS isOwner
      FROM page CROSS JOIN releases r ON r.id = page.id JOIN people p ON p.id = r.owner_id ORDER BY r.id DESC`),
  countOwn: sql.count<[{ person: number }]>(
    `SELECT count(*) FROM (SELECT id FROM releases WHERE owner_id = @person UNION ALL ${ofOthers})`,
  ),
  /** The number of pending releases with ids above `after`, up to and including `last`. */
  countPending: sql.count<[after: number, last: number]>(
    "SELECT count(*) FROM releases WHERE status = 'pending' AND id > ? AND id <= ?",
  ),
}))
