import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOf } from '../../src/server/composition/route-table.ts'
import { postsPerPage, projectsPerPage } from '../../src/shared/contracts/pages.ts'
import { seed } from '../bench/seed.ts'
import { approvedProject, publishPost, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'

/** All approved, each of another skill of the same publisher. */
const releases = 600

let folder: string
let app: TestContent
let publisher: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-pages-'))
  seed(folder, releases, releases)
  app = await startTestContent({ folder })
  publisher = await app.token({ subject: 'seed' })
  for (let count = 0; count <= postsPerPage; count += 1) {
    await publishPost(app.desk, { tags: ['news'] })
  }
  for (let count = 0; count <= projectsPerPage; count += 1) {
    await approvedProject(app)
  }
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The queries of a list's pages, reached through their links from the first page. */
async function follow(address: string): Promise<string[]> {
  const queries: string[] = []
  for (let url: URL | null = new URL(`${app.registry}${address}`); url !== null;) {
    const token = url.pathname.endsWith('/review') ? app.administrator : publisher
    const response: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    expect([url.href, response.status]).toEqual([url.href, 200])
    queries.push(url.search)
    const link: string | null = response.headers.get('link')
    const target: string | undefined = link?.match(/^<(.*)>; rel="next"$/)?.[1]
    expect(target === undefined).toBe(link === null)
    // As every client resolves it: against the address that it asked.
    url = target === undefined ? null : new URL(target, url)
  }
  return queries
}

/** Addresses of every list of the registry, and how many pages they have. */
const lists: Record<string, Record<string, number>> = {
  '/api/marketplace/skills': {
    '/api/marketplace/skills': 12,
    '/api/marketplace/skills?q=merge': 2,
    '/api/marketplace/skills?q=nothing-has-this': 1,
  },
  '/api/marketplace/mine': { '/api/marketplace/mine': 12 },
  '/api/marketplace/review': {
    '/api/marketplace/review': 12,
    '/api/marketplace/review?status=approved': 12,
    '/api/marketplace/review?status=pending': 1,
  },
  '/api/skilldock/mine': { '/api/skilldock/mine': 12 },
  '/api/skilldock/names': { '/api/skilldock/names': 12 },
  // Several pages: advisories.test.ts.
  '/api/skilldock/advisories.json': { '/api/skilldock/advisories.json': 1 },
  '/docs-markdown/site/marketplace.md': { '/docs-markdown/site/marketplace.md': 12 },
  '/skills': { '/skills': 12, '/skills?category=Data': 2, '/skills?q=e&category=Data': 2 },
  '/publishers/{id}': { '/publishers/1': 12 },
  '/blog': { '/blog': 2, '/blog?tag=news': 2 },
  '/showcase': { '/showcase': 2 },
}
const ofRegistry = routesOf('registry').filter(({ query }) => query !== undefined && 'offset' in query.shape)

test.each(ofRegistry.map(({ path }) => path))(
  'each page of %s links to the next one with its filters, and the last page to none',
  async (path) => {
    const addresses = Object.entries(lists[path] ?? {})
    expect(addresses.length).toBeGreaterThan(0)
    for (const [address, pages] of addresses) {
      const size = { '/blog': postsPerPage, '/showcase': projectsPerPage }[path] ?? 50
      const { search } = new URL(address, app.registry)
      const expected = Array.from({ length: pages }, (_, page) =>
        page === 0 ? search : `${search === '' ? '?' : `${search}&`}offset=${page * size}`,
      )
      expect(await follow(address)).toEqual(expected)
    }
  },
)

test('the link is below any public address', async () => {
  const { headers } = await fetch(`${app.api}/skills?offset=0&q=merge`)
  expect(headers.get('link')).toBe('<?q=merge&offset=50>; rel="next"')
})

test('a page that the client has already has its link too', async () => {
  const { headers } = await fetch(`${app.registry}/skills`)
  const again = await fetch(`${app.registry}/skills`, {
    headers: { 'If-None-Match': headers.get('etag') ?? '' },
  })
  expect([again.status, again.headers.get('link')]).toEqual([304, '<?offset=50>; rel="next"'])
})

test('/openapi.json describes the link of every list', async () => {
  const { paths } = (await (await fetch(`${app.registry}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { responses: Record<string, { headers?: Record<string, unknown> }> } }>
  }
  const described = Object.keys(paths).filter(
    (path) => paths[path]?.get?.responses['200']?.headers?.['Link'] !== undefined,
  )
  expect(described).toEqual(expect.arrayContaining(ofRegistry.map(({ path }) => path)))
})
