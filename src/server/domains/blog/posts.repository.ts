import type { PostContent } from '../../../shared/contracts/content.ts'
import { deskPageSize } from '../../../shared/list-page.ts'
import type { PostRow, PostState, PostVersion } from '../../../shared/contracts/desk-posts.ts'
import { repository } from '../../db/repository.ts'
import { damaged, readJson, readNames } from '../../db/stored-text.ts'
import { validJson } from '../../db/valid-json.ts'

export interface PostRecord {
  id: number
  content: PostContent
  revision: number
  createdAt: string
  updatedAt: string
  updatedBy: string
  publishedVersion: number | null
  publishAt: string | null
  /** The published content; null for a draft. */
  published: PostContent | null
}

export interface VersionRecord {
  id: number
  kind: PostVersion['kind']
  content: PostContent
  savedAt: string
  savedBy: string
  saverId: number
}

/** A post in a list, without its text. */
type ListedPost = Omit<PostRow, 'state'>
type ListedRow = Omit<ListedPost, 'tags' | 'changed'> & { tags: string | null; changed: number }

/** A version in a list, without its text. */
type ListedVersion = Omit<PostVersion, 'public'>

interface Row extends Omit<PostRecord, 'content' | 'published'> {
  content: string
  published: string | null
}
type VersionRow = Omit<VersionRecord, 'content'> & { content: string }

const columns = `p.id, p.content, p.revision, p.created_at AS createdAt, p.updated_at AS updatedAt,
  coalesce(u.name, u.subject) AS updatedBy, p.published_version AS publishedVersion, p.publish_at AS publishAt,
  v.content AS published`
const from = `FROM posts p JOIN people u ON u.id = p.updated_by
  LEFT JOIN post_versions v ON v.id = p.published_version`
/** SQLite extracts the tags, so that the (possibly long) contents need not be copied and parsed here. */
const listColumns = `p.id, p.title, p.slug, json_extract(${validJson('p.content')}, '$.tags') AS tags, p.publish_at AS publishAt,
  p.updated_at AS updatedAt, coalesce(u.name, u.subject) AS updatedBy,
  v.content IS NOT NULL AND v.content <> p.content AS changed`
const versionListColumns = `v.id, v.kind, v.saved_at AS savedAt, coalesce(u.name, u.subject) AS savedBy,
  json_extract(${validJson('v.content')}, '$.title') AS title, length(json_extract(${validJson('v.content')}, '$.markdown')) AS characters`
const versionColumns = `v.id, v.kind, v.content, v.saved_at AS savedAt, coalesce(u.name, u.subject) AS savedBy,
  u.id AS saverId`
const versionFrom = 'FROM post_versions v JOIN people u ON u.id = v.saved_by'

const states: Record<PostState | 'all', string> = {
  all: '@now IS NOT NULL',
  draft: 'p.publish_at IS NULL AND @now IS NOT NULL',
  // The unary plus stops SQLite from using the index on publish_at; the one on updated_at gives the order of the page.
  scheduled: '+p.publish_at > @now',
  published: '+p.publish_at <= @now',
}
const matches = `(@q = '' OR instr(folded(p.title || ' ' || p.slug), @q) > 0 OR EXISTS (
  SELECT 1 FROM json_each(${validJson('p.content')}, '$.tags') WHERE instr(json_each.value, @q) > 0))`

interface Filter {
  /** ISO 8601, UTC. */
  now: string
  /** Lowercase. */
  q: string
}

/** All SQL about posts in the desk. */
export const postRepository = repository((sql, connection) => {
  // SQLite's lower() only handles ASCII.
  connection.function('folded', { deterministic: true }, (text) => String(text).toLowerCase())
  const list = (state: PostState | 'all') => ({
    page: sql.list<[Filter & { offset: number }], ListedRow>(`
      SELECT ${listColumns} ${from} WHERE ${states[state]} AND ${matches}
      ORDER BY p.updated_at DESC, p.id DESC LIMIT ${deskPageSize} OFFSET @offset`),
    count: sql.count<[Filter]>(`SELECT count(*) FROM posts p WHERE ${states[state]} AND ${matches}`),
  })
  const lists = {
    all: list('all'),
    draft: list('draft'),
    scheduled: list('scheduled'),
    published: list('published'),
  }
  const byId = sql.find<[number], Row>(`SELECT ${columns} ${from} WHERE p.id = ?`)
  const insert = sql.insert<[string, string, string, number]>(`
    INSERT INTO posts (title, slug, content, revision, created_at, updated_at, updated_by)
    VALUES ('', '', ?, 0, ?, ?, ?)`)
  const save = sql.run<[string, string, string, string, number, number]>(`
    UPDATE posts SET title = ?, slug = ?, content = ?, revision = revision + 1, updated_at = ?, updated_by = ?
    WHERE id = ?`)
  const version = sql.find<[number, number], VersionRow>(
    `SELECT ${versionColumns} ${versionFrom} WHERE v.post_id = ? AND v.id = ?`,
  )
  const lastVersion = sql.find<[number], VersionRow>(
    `SELECT ${versionColumns} ${versionFrom} WHERE v.post_id = ? ORDER BY v.id DESC LIMIT 1`,
  )
  const insertVersion = sql.insert<[number, string, string, string, string, number]>(
    `INSERT INTO post_versions (post_id, kind, slug, content, saved_at, saved_by) VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const updateVersion = sql.run<[string, string, string, number]>(
    'UPDATE post_versions SET slug = ?, content = ?, saved_at = ? WHERE id = ?',
  )

  return {
    list: (state: PostState | 'all', now: string, q: string, offset: number) =>
      lists[state].page({ now, q: q.toLowerCase(), offset }).map(listed),
    count: (state: PostState | 'all', now: string, q: string) =>
      lists[state].count({ now, q: q.toLowerCase() }),
    find(id: number): PostRecord | null {
      const row = byId(id)
      return row === null ? null : parsed(row)
    },
    insert: (content: PostContent, at: string, by: number) => insert(JSON.stringify(content), at, at, by),
    save: (id: number, content: PostContent, at: string, by: number) =>
      save(content.title, content.slug, JSON.stringify(content), at, by, id),
    remove: sql.run<[id: number]>('DELETE FROM posts WHERE id = ?'),
    setPublic: sql.run<[{ id: number; versionId: number; publishAt: string; at: string; by: number }]>(
      `
UPDATE posts SET published_version = @versionId, publish_at = @publishAt, updated_at = @at, updated_by = @by
      WHERE id = @id`,
    ),
    setDraft: sql.run<[{ id: number; at: string; by: number }]>(`
    UPDATE posts SET published_version = NULL, publish_at = NULL, updated_at = @at, updated_by = @by
      WHERE id = @id`),
    takeSlug: sql.run<[{ id: number; slug: string }]>(
      `
      INSERT INTO post_slugs (slug, post_id) VALUES (@slug, @id)
      ON CONFLICT (post_id) DO UPDATE SET slug = excluded.slug`,
    ),
    freeSlug: sql.run<[id: number]>('DELETE FROM post_slugs WHERE post_id = ?'),
    /** Whether another published or scheduled post has this slug. */
    isSlugTaken: sql.exists<[slug: string, id: number | null]>(
      'SELECT 1 FROM post_slugs WHERE slug = ? AND post_id IS NOT ?',
    ),
    listVersions: sql.list<[id: number], ListedVersion>(
      `SELECT ${versionListColumns} ${versionFrom} WHERE v.post_id = ? ORDER BY v.id DESC`,
    ),
    findVersion(id: number, versionId: number): VersionRecord | null {
      const row = version(id, versionId)
      return row === null ? null : parsedVersion(row)
    },
    findLastVersion(id: number): VersionRecord | null {
      const row = lastVersion(id)
      return row === null ? null : parsedVersion(row)
    },
    /** Returns the id of the new version. */
    insertVersion: (id: number, kind: PostVersion['kind'], content: PostContent, at: string, by: number) =>
      insertVersion(id, kind, content.slug, JSON.stringify(content), at, by),
    updateVersion: (versionId: number, content: PostContent, at: string) =>
      updateVersion(content.slug, JSON.stringify(content), at, versionId),
  }
})

export type PostRepository = ReturnType<typeof postRepository>

function listed({ tags, changed, ...row }: ListedRow): ListedPost {
  return {
    ...row,
    tags: readNames('posts.content', row.id, tags) ?? [],
    changed: changed === 1,
  }
}

function parsed(row: Row): PostRecord {
  return {
    ...row,
    content: contentOf('posts.content', row.id, row.content),
    published: readJson('post_versions.content', row.publishedVersion ?? 0, row.published),
  }
}

function parsedVersion(row: VersionRow): VersionRecord {
  return { ...row, content: contentOf('post_versions.content', row.id, row.content) }
}

function contentOf(column: 'posts.content' | 'post_versions.content', id: number, text: string): PostContent {
  const content = readJson(column, id, text)
  if (content !== null) return content
  throw damaged('STORAGE_UNAVAILABLE', 'this post')
}
