import type { PersonListRow } from '../../../shared/contracts/desk-people.ts'
import { repository } from '../../db/repository.ts'

const people = `SELECT p.id, p.subject, p.issuer, p.name, p.role, p.created_at AS createdAt, p.removed_at AS removedAt,
    nullif(max(coalesce((SELECT max(last_used_at) FROM tokens WHERE person_id = p.id), ''),
      coalesce((SELECT max(last_seen_at) FROM desk_sessions WHERE person_id = p.id), '')), '') AS lastSeenAt,
    (SELECT count(*) FROM releases WHERE owner_id = p.id) AS releases
  FROM people p`

/** Rows per query, which then takes a few milliseconds. */
const batchSize = 200

/** SQL for the list of people in the desk. */
export const managePeopleRepository = repository((sql) => {
  const listPeopleAfter = sql.list<[string, number, number], PersonListRow>(
    `${people} WHERE (p.subject, p.id) > (?, ?) ORDER BY p.subject, p.id LIMIT ?`,
  )

  return {
    /** The next people after this one, by subject and id. */
    listPeopleAfter: ({ subject, id }: Pick<PersonListRow, 'subject' | 'id'>) =>
      listPeopleAfter(subject, id, batchSize),
    findPerson: sql.find<[id: number], PersonListRow>(`${people} WHERE p.id = ?`),
  }
})
