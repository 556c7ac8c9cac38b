import { maxOffset } from '../../../shared/contracts/common.ts'
import { instantSchema } from '../../../shared/contracts/desk-common.ts'
import { pageQuery } from '../../../shared/list-page.ts'
import { postsPerPage, projectsPerPage } from '../../../shared/contracts/pages.ts'
import { pageSize } from '../../../shared/contracts/releases.ts'
import { categories } from '../../../shared/contracts/manifest.ts'
import type { Database } from '../../db/database.ts'
import { readStored } from '../../db/stored-text.ts'
import { createGiveWay } from '../../operations/give-way.ts'
import { sitemapRepository } from './sitemap.repository.ts'

interface Address {
  slug: string
  updatedAt: string
}

interface PublicPageParts {
  database: Database
  posts: { listAddresses(): (Address & { tags: readonly string[] })[] }
  projects: { listAddresses(): Address[] }
}

export interface PublicPage {
  /** Includes the query string, if any. */
  path: string
  /** ISO 8601. Set for releases, posts, projects and the first page of each publisher. */
  lastmod?: string
}

/** Manifests to read before other work may run. */
const batchSize = 200

/** All public HTML pages that return 200 and can be reached through links, which excludes searches. */
export function createPublicPages({ database, posts, projects }: PublicPageParts) {
  const repository = sitemapRepository(database.reader)

  /** The pages of approved releases, their publishers, and the catalog, whose lists show each skill once. */
  const listSkillPages = async (): Promise<PublicPage[]> => {
    const pages: PublicPage[] = []
    const latest = new Map<string, number>()
    const publishers = new Map<number, { names: number; lastmod: string }>()
    let before = Number.MAX_SAFE_INTEGER
    const giveWay = createGiveWay()
    for (;;) {
      const releases = repository.listBefore(before)
      const last = releases.at(-1)
      if (last === undefined) break
      before = last.id
      for (const { id, name, version, ownerId, approvedAt } of releases) {
        if (readStored(instantSchema, 'decisions.decided_at', `of release ${id}`, approvedAt) === null)
          continue
        pages.push({ path: `/skills/${name}/${version}`, lastmod: approvedAt })
        const publisher = publishers.get(ownerId) ?? { names: 0, lastmod: approvedAt }
        publishers.set(ownerId, publisher)
        if (approvedAt > publisher.lastmod) publisher.lastmod = approvedAt
        if (latest.has(name)) continue
        latest.set(name, id)
        publisher.names += 1
      }
      // Each query starts after the last row of the previous one.
      await giveWay()
    }
    for (const [id, { names, lastmod }] of publishers) {
      const [first, ...further] = listPages(`/publishers/${id}`, {}, names, pageSize)
      if (first !== undefined) pages.push({ ...first, lastmod }, ...further)
    }
    pages.push(...listPages('/skills', {}, latest.size, pageSize))
    const counts = await countCategories([...latest.values()], giveWay)
    for (const category of categories) {
      pages.push(...listPages('/skills', { category }, counts.get(category) ?? 0, pageSize))
    }
    return pages
  }

  const countCategories = async (
    ids: readonly number[],
    giveWay: () => Promise<void>,
  ): Promise<Map<string, number>> => {
    const counts = new Map<string, number>()
    for (let start = 0; start < ids.length; start += batchSize) {
      for (const category of repository.listCategories(ids.slice(start, start + batchSize))) {
        counts.set(category, (counts.get(category) ?? 0) + 1)
      }
      await giveWay()
    }
    return counts
  }

  const listBlogPages = (): PublicPage[] => {
    const addresses = posts.listAddresses()
    const tags = Map.groupBy(
      addresses.flatMap((post) => [...new Set(post.tags)]),
      (tag) => tag,
    )
    return [
      ...listPages('/blog', {}, addresses.length, postsPerPage),
      ...[...tags].flatMap(([tag, { length }]) => listPages('/blog', { tag }, length, postsPerPage)),
      ...addresses.map(({ slug, updatedAt }) => ({ path: `/blog/${slug}`, lastmod: updatedAt })),
    ]
  }

  const listShowcasePages = (): PublicPage[] => {
    const addresses = projects.listAddresses()
    return [
      ...listPages('/showcase', {}, addresses.length, projectsPerPage),
      { path: '/showcase/submit' },
      ...addresses.map(({ slug, updatedAt }) => ({ path: `/showcase/${slug}`, lastmod: updatedAt })),
    ]
  }

  return {
    async listPublicPages(): Promise<PublicPage[]> {
      return [{ path: '/' }, ...(await listSkillPages()), ...listBlogPages(), ...listShowcasePages()]
    },
  }
}

/** The pages of a list with `count` items. An empty list still has its first page. */
function listPages(path: string, query: Record<string, string>, count: number, size: number): PublicPage[] {
  const pages: PublicPage[] = []
  for (let offset = 0; offset === 0 || (offset < count && offset <= maxOffset); offset += size) {
    pages.push({ path: `${path}${pageQuery({ ...query, offset })}` })
  }
  return pages
}
