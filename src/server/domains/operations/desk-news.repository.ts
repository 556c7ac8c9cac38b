import type { News } from '../../../shared/services-messages.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

type Submission = News['submissions'][number]
type Project = News['projects']['submissions'][number]

/** Items of one kind that are waiting for a decision. */
export interface WaitingRepository<Row> {
  lastId(): number
  countPending(): number
  /** The number of pending items with a higher id. */
  countAfter(id: number): number
  listAfter(id: number, limit: number): Row[]
}

/** Releases in the queue. */
export const deskNewsRepository = preparedOnce((connection: Connection): WaitingRepository<Submission> => {
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
    countAfter: (id) => submitted.get(id) ?? 0,
    listAfter: (id, limit) => submissions.all(id, limit),
  }
})

/** Projects submitted to the showcase. */
export const projectNewsRepository = preparedOnce((connection: Connection): WaitingRepository<Project> => {
  const last = connection.prepare<[], number>('SELECT coalesce(max(id), 0) FROM projects').pluck()
  const pending = connection
    .prepare<[], number>("SELECT count(*) FROM projects WHERE status = 'pending'")
    .pluck()
  const submitted = connection
    .prepare<[number], number>("SELECT count(*) FROM projects WHERE status = 'pending' AND id > ?")
    .pluck()
  const submissions = connection.prepare<[number, number], Project>(
    "SELECT id, title, author FROM projects WHERE status = 'pending' AND id > ? ORDER BY id LIMIT ?",
  )

  return {
    lastId: () => last.get() ?? 0,
    countPending: () => pending.get() ?? 0,
    countAfter: (id) => submitted.get(id) ?? 0,
    listAfter: (id, limit) => submissions.all(id, limit),
  }
})
