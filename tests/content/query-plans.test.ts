import { afterAll, beforeAll, expect, test } from 'vitest'
import { postRepository } from '../../src/server/domains/blog/posts.repository.ts'
import { publishedPostRepository } from '../../src/server/domains/blog/published-posts.repository.ts'
import { publicStateRepository } from '../../src/server/domains/discovery/public-state.repository.ts'
import { sitemapRepository } from '../../src/server/domains/discovery/sitemap.repository.ts'
import { approvedProjectRepository } from '../../src/server/domains/showcase/approved-projects.repository.ts'
import { projectRepository } from '../../src/server/domains/showcase/projects.repository.ts'
import { imageRepository } from '../../src/server/domains/uploads/images.repository.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { plansOf } from '../support/server/query-plans.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.stop())

/** Every statement of these repositories with its query plan in SQLite. */
const plans = (): Promise<Map<string, string[]>> =>
  withDatabase(app, async ({ writer }) =>
    plansOf(
      writer,
      postRepository,
      publishedPostRepository,
      projectRepository,
      imageRepository,
      approvedProjectRepository,
      publicStateRepository,
      sitemapRepository,
    ),
  )

test('no query of posts, projects, feeds and sitemaps scans a table', async () => {
  const found = await plans()
  expect(found.size).toBeGreaterThan(35)
  const scans = [...found].flatMap(([sql, details]) => {
    // A search in the desk must read every row; without a search, an index provides the order.
    const isSearch = sql.includes('folded(')
    return details
      .filter((detail) => detail.startsWith('SCAN '))
      .filter((detail) => !/ USING (COVERING )?INDEX /.test(detail))
      .filter(
        (detail) =>
          !/^SCAN (json_each|ids|\(subquery-\d+\)|desk_topics|catalog_generation|sqlite_sequence)/.test(
            detail,
          ),
      )
      .filter((detail) => !(isSearch && sql.includes('count(*)') && /^SCAN p$/.test(detail)))
      .filter((detail) => !(isSearch && /ORDER BY p\.id (DESC )?/.test(sql) && /^SCAN p$/.test(detail)))
      .map((detail) => `${detail}: ${sql}`)
  })
  expect(scans).toEqual([])
})

test('public pages get their order from an index, without sorting', async () => {
  const sorted = [...(await plans())].filter(
    ([sql, details]) =>
      // An image has at most three renditions.
      !sql.includes('FROM renditions') && details.some((detail) => detail.includes('TEMP B-TREE')),
  )
  expect(sorted.map(([sql]) => sql)).toEqual([])
})
