import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'
import type { AuditedPost } from './post-audit.rules.ts'

/** Queries for `skilldock verify`: reads all posts in pages, one statement per page. */
export const postAuditRepository = preparedOnce((connection: Connection) => {
  const list = connection.prepare<[number, number], AuditedPost>(
    `SELECT p.id, p.title, p.slug, p.content, p.publish_at AS publishAt, v.post_id AS versionPost,
       v.slug AS publicSlug, v.content AS publicContent, s.slug AS takenSlug,
       (SELECT json_group_array(image) FROM image_uses WHERE kind = 'post' AND owner_id = p.id) AS uses
     FROM posts p
       LEFT JOIN post_versions v ON v.id = p.published_version
       LEFT JOIN post_slugs s ON s.post_id = p.id
     WHERE p.id > ? ORDER BY p.id LIMIT ?`,
  )
  const rewriteRow = connection.prepare<[number]>(
    "UPDATE posts SET title = json_extract(content, '$.title'), slug = json_extract(content, '$.slug') WHERE id = ?",
  )
  const count = connection.prepare<[], number>('SELECT count(*) FROM posts').pluck()

  return {
    list: (afterId: number, limit: number) => list.all(afterId, limit),
    /** Restores the title and slug columns from the content. */
    rewriteRow: (id: number) => rewriteRow.run(id),
    count: () => count.get() ?? 0,
  }
})
