import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogRepository } from '../../src/server/domains/releases/catalog/catalog.repository.ts'
import { publicCatalogRepository } from '../../src/server/domains/releases/catalog/public-catalog.repository.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { plansOf } from '../support/server/query-plans.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.stop())

test('every public list and release is found through an index, and at most one page is sorted', async () => {
  await withDatabase(app, async ({ reader }) => {
    const found = plansOf(reader, publicCatalogRepository)
    expect(found.size).toBe(9)
    const plans = [...found.values()]
    const walk =
      /^SCAN (?!found|c$|json_each VIRTUAL|release_grams VIRTUAL|r USING (?:COVERING )?INDEX|releases USING COVERING INDEX)/
    expect(plans.flat().filter((detail) => walk.test(detail))).toEqual([])
    // Once, for the rows of one page, which were found in their order.
    const sorts = plans.map((details) => details.filter((detail) => detail.includes('TEMP B-TREE')).length)
    expect(Math.max(...sorts)).toBe(1)
  })
})

test('a release and its manifest are read without the row that has its status', async () => {
  await withDatabase(app, async ({ reader }) => {
    const plans = [...plansOf(reader, catalogRepository)].filter(([sql]) => sql.includes('version ='))
    expect(plans.map(([, [first]]) => first)).toEqual(
      ['body', 'manifest'].map(
        () => 'SEARCH r USING COVERING INDEX releases_approved (name=? AND version=?)',
      ),
    )
  })
})
