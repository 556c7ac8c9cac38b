import type { PersonListRow } from '../../../shared/contracts/desk-people.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

const people = `SELECT p.id, p.subject, p.issuer, p.name, p.role, p.created_at AS createdAt, p.removed_at AS removedAt,
    nullif(max(coalesce((SELECT max(last_used_at) FROM tokens WHERE person_id = p.id), ''),
      coalesce((SELECT max(last_seen_at) FROM desk_sessions WHERE person_id = p.id), '')), '') AS lastSeenAt,
    (SELECT count(*) FROM releases WHERE owner_id = p.id) AS releases
  FROM people p`

/** People as the desk lists them, prepared on one connection. */
export const managePeopleRepository = preparedOnce((connection: Connection) => {
  const listPeople = connection.prepare<[], PersonListRow>(
    `${people} ORDER BY p.removed_at IS NOT NULL, p.subject, p.id`,
  )
  const findPerson = connection.prepare<[number], PersonListRow>(`${people} WHERE p.id = ?`)

  return {
    listPeople: () => listPeople.all(),
    findPerson: (id: number) => findPerson.get(id) ?? null,
  }
})
