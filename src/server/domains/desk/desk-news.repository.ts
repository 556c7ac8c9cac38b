import type { News } from '../../../shared/services-messages.ts'
import type { Connection } from '../../db/database.ts'

type Submission = News['submissions'][number]

/** What has come to the queue. */
export function createDeskNewsRepository(connection: Connection) {
  const last = connection.prepare<[], number>('SELECT coalesce(max(id), 0) FROM releases').pluck()
  const pending = connection
    .prepare<[], number>("SELECT count(*) FROM releases WHERE status = 'pending'")
    .pluck()
  const submitted = connection
    .prepare<[number], number>("SELECT count(*) FROM releases WHERE status = 'pending' AND id > ?")
    .pluck()
  const submissions = connection.prepare<[number, number], Submission>(`
    SELECT r.id, r.name, r.version, coalesce(p.name, p.subject) AS publisher
    FROM releases r JOIN people p ON p.id = r.owner_id
    WHERE r.status = 'pending' AND r.id > ? ORDER BY r.id LIMIT ?
  `)

  return {
    lastId: () => last.get() ?? 0,
    countPending: () => pending.get() ?? 0,
    /** Pending releases that came after the one with this id. */
    countAfter: (id: number) => submitted.get(id) ?? 0,
    listAfter: (id: number, limit: number) => submissions.all(id, limit),
  }
}
