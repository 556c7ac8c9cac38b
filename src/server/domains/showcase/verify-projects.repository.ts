import { repository } from '../../db/repository.ts'
import type { ProjectToVerify } from './verify-project.rules.ts'

/** Queries for `skilldock verify`: reads all projects in pages, one statement per page. */
export const verifyProjectsRepository = repository((sql) => ({
  list: sql.list<[afterId: number, limit: number], ProjectToVerify>(`
      SELECT p.id, p.title, p.slug, p.author, p.content, p.status, p.decided_at AS decidedAt,
        (SELECT json_group_array(image) FROM image_uses WHERE kind = 'project' AND owner_id = p.id) AS uses
      FROM projects p WHERE p.id > ? ORDER BY p.id LIMIT ?`),
  /** Restores the title, slug and author columns from the content. */
  rewriteRow: sql.run<[id: number]>(`
      UPDATE projects SET title = json_extract(content, '$.title'), slug = json_extract(content, '$.slug'),
      author = json_extract(content, '$.author') WHERE id = ?`),
  count: sql.count<[]>('SELECT count(*) FROM projects'),
}))
