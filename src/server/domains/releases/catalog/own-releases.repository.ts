import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

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

const ownedNames = 'SELECT name FROM name_owners WHERE person_id = @person AND ended_at IS NULL'
/** The releases that a person submitted, and all others of the names that they own. */
const ownIds = `SELECT id FROM releases WHERE owner_id = @person
  UNION SELECT id FROM releases WHERE name IN (${ownedNames})`

/** SQL about a person's own releases, prepared on the reading connection. */
export const ownReleaseRepository = preparedOnce((connection: Connection) => {
  const listOwn = connection.prepare<{ person: number; limit: number; offset: number }, OwnReleaseRow>(
    `SELECT r.id, r.name, r.version, r.status, r.size, r.sha256, r.created_at AS createdAt,
       r.review_reason AS reviewReason, p.id AS ownerId, p.name AS ownerName, r.name IN (${ownedNames}) AS isOwner
     FROM releases r JOIN people p ON p.id = r.owner_id WHERE r.id IN (${ownIds})
     ORDER BY r.id DESC LIMIT @limit OFFSET @offset`,
  )
  const countOwn = connection.prepare<{ person: number }, number>(`SELECT count(*) FROM (${ownIds})`).pluck()
  const countPending = connection
    .prepare<[number, number], number>(
      "SELECT count(*) FROM releases WHERE status = 'pending' AND id > ? AND id <= ?",
    )
    .pluck()

  return {
    listOwn: (person: number, offset: number, limit: number) => listOwn.all({ person, limit, offset }),
    countOwn: (person: number) => countOwn.get({ person }) ?? 0,
    /** The number of pending releases with ids above `after`, up to and including `last`. */
    countPending: (after: number, last: number) => countPending.get(after, last) ?? 0,
  }
})
