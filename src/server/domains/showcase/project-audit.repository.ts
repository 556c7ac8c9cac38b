import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'
import type { AuditedProject } from './project-audit.rules.ts'

/** Queries for `skilldock verify`: reads all projects in pages, one statement per page. */
export const projectAuditRepository = preparedOnce((connection: Connection) => {
  const list = connection.prepare<[number, number], AuditedProject>(
    `SELECT p.id, p.title, p.slug, p.author, p.content, p.status, p.decided_at AS decidedAt,
       (SELECT json_group_array(image) FROM image_uses WHERE kind = 'project' AND owner_id = p.id) AS uses
     FROM projects p WHERE p.id > ? ORDER BY p.id LIMIT ?`,
  )
  const rewriteRow = connection.prepare<[number]>(
    `UPDATE projects SET title = json_extract(content, '$.title'), slug = json_extract(content, '$.slug'),
       author = json_extract(content, '$.author') WHERE id = ?`,
  )
  const count = connection.prepare<[], number>('SELECT count(*) FROM projects').pluck()

  return {
    list: (afterId: number, limit: number) => list.all(afterId, limit),
    /** Restores the title, slug and author columns from the content. */
    rewriteRow: (id: number) => rewriteRow.run(id),
    count: () => count.get() ?? 0,
  }
})
