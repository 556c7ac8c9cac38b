import { setImmediate as nextTurn } from 'node:timers/promises'
import { instantSchema } from '../../../shared/contracts/desk-common.ts'
import { categories, pageSize } from '../../../shared/contracts/releases.ts'
import type { Database } from '../../db/database.ts'
import { readStored } from '../../db/stored-text.ts'
import { postsPerPage } from '../blog/published-posts.service.ts'
import { projectsPerPage } from '../showcase/approved-projects.service.ts'
import { sitemapRepository } from './sitemap.repository.ts'

interface Address {
  slug: string
  updatedAt: string
}

export interface PublicPageParts {
  database: Database
  posts: { listAddresses(): (Address & { tags: readonly string[] })[] }
  projects: { listAddresses(): Address[] }
}

export interface PublicPage {
  /** With its query, where it has one. */
  path: string
  /** ISO 8601; left out for lists, which change with all that they hold. */
  lastmod?: string
}

/** Section 8: no list is read further than this. */
const maxOffset = 100_000
/** Manifests that are read without a pause. */
const manifestsAtOnce = 200

/** Every public HTML page that answers 200 and can be reached by links; searches cannot. */
export function createPublicPages({ database, posts, projects }: PublicPageParts) {
  const repository = sitemapRepository(database.reader)

  /** Approved releases, their publishers and the catalog, whose lists have each name once. */
  const listSkillPages = async (): Promise<PublicPage[]> => {
    const pages: PublicPage[] = []
    const latest = new Map<string, number>()
    const publishers = new Map<number, { names: number; lastmod: string }>()
    let before = Number.MAX_SAFE_INTEGER
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
      // The next query begins behind the last row of this one.
      // oxlint-disable-next-line no-await-in-loop
      await nextTurn()
    }
    for (const [id, { names, lastmod }] of publishers) {
      const [first, ...further] = listPages(`/publishers/${id}`, {}, names, pageSize)
      if (first !== undefined) pages.push({ ...first, lastmod }, ...further)
    }
    pages.push(...listPages('/skills', {}, latest.size, pageSize))
    const counts = await countCategories([...latest.values()])
    for (const category of categories) {
      pages.push(...listPages('/skills', { category }, counts.get(category) ?? 0, pageSize))
    }
    return pages
  }

  const countCategories = async (ids: readonly number[]): Promise<Map<string, number>> => {
    const counts = new Map<string, number>()
    for (let start = 0; start < ids.length; start += manifestsAtOnce) {
      for (const category of repository.listCategories(ids.slice(start, start + manifestsAtOnce))) {
        counts.set(category, (counts.get(category) ?? 0) + 1)
      }
      // oxlint-disable-next-line no-await-in-loop
      await nextTurn()
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

/** The pages of a list of so many things; the first one is there without any. */
function listPages(path: string, query: Record<string, string>, count: number, size: number): PublicPage[] {
  const pages: PublicPage[] = []
  for (let offset = 0; offset === 0 || (offset < count && offset <= maxOffset); offset += size) {
    const search = new URLSearchParams({ ...query, ...(offset === 0 ? {} : { offset: String(offset) }) })
    pages.push({ path: search.size === 0 ? path : `${path}?${search.toString()}` })
  }
  return pages
}
