import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicCatalogRepository } from '../../src/server/domains/releases/catalog/public-catalog.repository.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.stop())

test('every public list and release is found through an index, and at most one page is sorted', async () => {
  await withDatabase(app, async ({ reader }) => {
    const statements: string[] = []
    const recording = new Proxy(reader, {
      get(target, key) {
        if (key !== 'prepare') return Reflect.get(target, key) as unknown
        return (sql: string) => {
          statements.push(sql)
          return target.prepare(sql)
        }
      },
    })
    publicCatalogRepository(recording)
    expect(statements).toHaveLength(9)
    const plans = statements.map((sql) =>
      reader
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', "'1'")}`)
        .all()
        .map(({ detail }) => detail),
    )
    const walk =
      /^SCAN (?!found|c$|json_each VIRTUAL|release_grams VIRTUAL|r USING (?:COVERING )?INDEX|releases USING COVERING INDEX)/
    expect(plans.flat().filter((detail) => walk.test(detail))).toEqual([])
    // Once, for the rows of one page, which were found in their order.
    const sorts = plans.map((details) => details.filter((detail) => detail.includes('TEMP B-TREE')).length)
    expect(Math.max(...sorts)).toBe(1)
  })
})
