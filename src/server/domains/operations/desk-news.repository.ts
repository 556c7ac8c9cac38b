import type { News } from '../../../shared/services-messages.ts'
import { repository } from '../../db/repository.ts'

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
export const deskNewsRepository = repository((sql): WaitingRepository<Submission> => ({
  lastId: sql.count<[]>('SELECT coalesce(max(id), 0) FROM releases'),
  countPending: sql.count<[]>("SELECT count(*) FROM releases WHERE status = 'pending'"),
  countAfter: sql.count<[id: number]>("SELECT count(*) FROM releases WHERE status = 'pending' AND id > ?"),
  listAfter: sql.list<[id: number, limit: number], Submission>(`
      SELECT r.id, r.name, r.version, coalesce(p.name, p.subject) AS publisher
      FROM releases r JOIN people p ON p.id = r.owner_id
      WHERE r.status = 'pending' AND r.id > ? ORDER BY r.id LIMIT ?`),
}))

/** Projects submitted to the showcase. */
export const projectNewsRepository = repository((sql): WaitingRepository<Project> => ({
  lastId: sql.count<[]>('SELECT coalesce(max(id), 0) FROM projects'),
  countPending: sql.count<[]>("SELECT count(*) FROM projects WHERE status = 'pending'"),
  countAfter: sql.count<[id: number]>("SELECT count(*) FROM projects WHERE status = 'pending' AND id > ?"),
  listAfter: sql.list<[id: number, limit: number], Project>(
    "SELECT id, title, author FROM projects WHERE status = 'pending' AND id > ? ORDER BY id LIMIT ?",
  ),
}))
