import { z } from 'zod'
import { slugSchema } from '../../../shared/contracts/content.ts'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { instantSchema } from '../../../shared/contracts/desk-common.ts'
import { repository } from '../../db/repository.ts'
import { readStored, storedJson, storedNames } from '../../db/stored-text.ts'
import { validJson } from '../../db/valid-json.ts'

export interface PublishedRow {
  id: number
  /** Id of the version; versions are immutable. */
  version: number
  slug: string
  content: PostContent
  publishedAt: string
  savedAt: string
  authorId: number
  authorName: string | null
}

interface AddressRow {
  id: number
  slug: string
  tags: string[]
  publishedAt: string
  savedAt: string
}

type Row = Omit<PublishedRow, 'content'> & { content: string }

const from = `FROM posts p JOIN post_versions v ON v.id = p.published_version
  JOIN people a ON a.id = v.saved_by`
const columns = `p.id, v.id AS version, v.slug, v.content, p.publish_at AS publishedAt, v.saved_at AS savedAt,
  a.id AS authorId, a.name AS authorName`
/** Rulings, "Published post": its time is not in the future. */
const isPublic = 'p.publish_at IS NOT NULL AND p.publish_at <= ?'
const hasTag = `EXISTS (SELECT 1 FROM json_each(${validJson('v.content')}, '$.tags') WHERE json_each.value = ?)`
const newest = 'ORDER BY p.publish_at DESC, p.id DESC'

/** All SQL about published posts. Each query takes the current time. */
export const publishedPostRepository = repository((sql) => {
  const page = sql.list<[string, number, number], Row>(
    `SELECT ${columns} ${from} WHERE ${isPublic} ${newest} LIMIT ? OFFSET ?`,
  )
  const tagged = sql.list<[string, string, number, number], Row>(
    `SELECT ${columns} ${from} WHERE ${isPublic} AND ${hasTag} ${newest} LIMIT ? OFFSET ?`,
  )
  const bySlug = sql.find<[string, string], Row>(
    `SELECT ${columns} ${from} JOIN post_slugs s ON s.post_id = p.id WHERE ${isPublic} AND s.slug = ?`,
  )
  const addresses = sql.list<[string], AddressRow & { tags: string }>(`
    SELECT p.id, v.slug, json_extract(${validJson('v.content')}, '$.tags') AS tags, p.publish_at AS publishedAt, v.saved_at AS savedAt
    FROM posts p JOIN post_versions v ON v.id = p.published_version WHERE ${isPublic} ${newest}`)

  return {
    list: (now: string, limit: number, offset: number) => page(now, limit, offset).flatMap(parsed),
    count: sql.count<[now: string]>(`SELECT count(*) FROM posts p WHERE ${isPublic}`),
    listTagged: (now: string, tag: string, limit: number, offset: number) =>
      tagged(now, tag, limit, offset).flatMap(parsed),
    countTagged: sql.count<[now: string, tag: string]>(`
      SELECT count(*) FROM posts p JOIN post_versions v ON v.id = p.published_version
      WHERE ${isPublic} AND ${hasTag}`),
    find(now: string, slug: string): PublishedRow | null {
      const row = bySlug(now, slug)
      return row === null ? null : (parsed(row)[0] ?? null)
    },
    listAddresses: (now: string): AddressRow[] =>
      addresses(now).flatMap((row) => readStored(addressSchema, 'posts', row.id, row) ?? []),
    /** When the next scheduled post becomes public, or null. */
    findNext: sql.findValue<[now: string], string | null>(
      'SELECT min(publish_at) FROM posts WHERE publish_at > ?',
    ),
  }
})

const times = { publishedAt: instantSchema, savedAt: instantSchema }
const addressSchema = z.object({ id: z.int(), slug: slugSchema, tags: storedNames, ...times })
const rowSchema = z.object({
  id: z.int(),
  version: z.int(),
  slug: slugSchema,
  content: storedJson['posts.content'],
  ...times,
  authorId: z.int(),
  authorName: z.string().nullable(),
})

/** Empty for a damaged post, so that the others are still shown. */
function parsed(row: Row): PublishedRow[] {
  const post = readStored(rowSchema, 'posts', row.id, row)
  return post === null ? [] : [post]
}
