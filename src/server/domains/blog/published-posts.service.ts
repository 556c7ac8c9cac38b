import type { PlacedImage } from '../../../shared/contracts/content.ts'
import { slugSchema } from '../../../shared/contracts/content.ts'
import { postsPerPage } from '../../../shared/contracts/pages.ts'
import { publisherName } from '../../../shared/publisher-name.ts'
import type { Database } from '../../db/database.ts'
import { publishedPostRepository } from './published-posts.repository.ts'
import type { PublishedRow } from './published-posts.repository.ts'

/** A post as the public sees it. */
export interface PublishedPost {
  id: number
  /** Changes whenever the content changes. */
  version: number
  slug: string
  title: string
  summary: string
  markdown: string
  tags: string[]
  cover: PlacedImage | null
  author: string
  /** ISO 8601, UTC. */
  publishedAt: string
  /** Time of the last published edit; never before `publishedAt`. */
  updatedAt: string
}

/** Published posts, without drafts and scheduled ones. */
export function createPublishedPosts(database: Database) {
  const repository = publishedPostRepository(database.reader)
  const now = (): string => {
    database.assertAvailable()
    return new Date().toISOString()
  }

  return {
    /** A page of `postsPerPage` posts, newest first, and the total number. */
    listPublished(offset: number, tag?: string): { items: PublishedPost[]; total: number } {
      const at = now()
      const [rows, total] =
        tag === undefined
          ? [repository.list(at, postsPerPage, offset), repository.count(at)]
          : [repository.listTagged(at, tag, postsPerPage, offset), repository.countTagged(at, tag)]
      return { items: rows.map(publicPost), total }
    },

    /** The newest posts, for the feed. */
    listNewest: (limit: number): PublishedPost[] => repository.list(now(), limit, 0).map(publicPost),

    /** Null if there is no published post with this slug or the slug is malformed. */
    findPublished(slug: string): PublishedPost | null {
      const at = now()
      if (!slugSchema.safeParse(slug).success) return null
      const row = repository.find(at, slug)
      return row === null ? null : publicPost(row)
    },

    /** Slug, tags and last change of every published post, newest first. */
    listAddresses: (): { slug: string; tags: string[]; updatedAt: string }[] =>
      repository.listAddresses(now()).map((row) => ({
        slug: row.slug,
        tags: row.tags,
        updatedAt: lastChange(row),
      })),

    /** When the next scheduled post becomes public, or null. */
    findNextPublication: (): Date | null => {
      const next = repository.findNext(now())
      return next === null ? null : new Date(next)
    },
  }
}

export type PublishedPosts = ReturnType<typeof createPublishedPosts>

function lastChange({ savedAt, publishedAt }: { savedAt: string; publishedAt: string }): string {
  return savedAt > publishedAt ? savedAt : publishedAt
}

function publicPost(row: PublishedRow): PublishedPost {
  const { title, summary, markdown, tags, cover } = row.content
  return {
    id: row.id,
    version: row.version,
    slug: row.slug,
    title,
    summary,
    markdown,
    tags,
    cover,
    author: publisherName({ id: row.authorId, name: row.authorName }),
    publishedAt: row.publishedAt,
    updatedAt: lastChange(row),
  }
}
