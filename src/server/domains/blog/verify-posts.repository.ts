import { repository } from '../../db/repository.ts'
import type { PostToVerify } from './verify-post.rules.ts'

/** Queries for `skilldock verify`: reads all posts in pages, one statement per page. */
export const verifyPostsRepository = repository((sql) => ({
  list: sql.list<[afterId: number, limit: number], PostToVerify>(`
      SELECT p.id, p.title, p.slug, p.content, p.publish_at AS publishAt, v.post_id AS versionPost,
        v.slug AS publicSlug, v.content AS publicContent, s.slug AS takenSlug,
        (SELECT json_group_array(image) FROM image_uses WHERE kind = 'post' AND owner_id = p.id) AS uses
      FROM posts p
        LEFT JOIN post_versions v ON v.id = p.published_version
        LEFT JOIN post_slugs s ON s.post_id = p.id
      WHERE p.id > ? ORDER BY p.id LIMIT ?`),
  /** Restores the title and slug columns from the content. */
  rewriteRow: sql.run<[id: number]>(
    "UPDATE posts SET title = json_extract(content, '$.title'), slug = json_extract(content, '$.slug') WHERE id = ?",
  ),
  count: sql.count<[]>('SELECT count(*) FROM posts'),
}))
