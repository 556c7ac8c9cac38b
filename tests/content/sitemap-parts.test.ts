import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPublicState } from '../../src/server/domains/discovery/public-state.service.ts'
import { createSitemap } from '../../src/server/domains/discovery/sitemap.service.ts'
import type { Sitemap } from '../../src/server/domains/discovery/sitemap.service.ts'
import type { Database } from '../../src/server/db/database.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { skipWithout } from '../support/programs.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { lintXml } from '../support/server/xmllint.ts'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.stop())

const base = 'https://skills.example'
const sitemapOf = (database: Database, count: number, partSize?: number): Sitemap =>
  createSitemap({
    state: createPublicState({ database, publicUrl: () => base, findNextPublication: () => null }),
    publicUrl: () => base,
    listPublicPages: async () =>
      Array.from({ length: count }, (_, index) => ({ path: `/page?a=1&b=${index}`, lastmod: '2026-01-01' })),
    ...(partSize === undefined ? {} : { partSize }),
  })
const places = (xml: Buffer): string[] =>
  [...xml.toString().matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => (url ?? '').replaceAll('&amp;', '&'))

test.skipIf(skipWithout('xmllint'))(
  'above its limit the sitemap is an index of valid parts that contain every address once',
  () =>
    withDatabase(app, async (database) => {
      const sitemap = sitemapOf(database, 7, 3)
      const index = await sitemap.getSitemap()
      expect(lintXml(index.toString(), 'sitemap.xsd')).toBe('')
      expect(places(index)).toEqual([1, 2, 3].map((part) => `${base}/api/sitemap/${part}.xml`))
      const parts = await Promise.all(['1', '2', '3'].map((part) => sitemap.getSitemapPart(part)))
      for (const part of parts) expect(lintXml(part.toString(), 'sitemap.xsd')).toBe('')
      expect(parts.map((part) => places(part).length)).toEqual([3, 3, 1])
      expect(parts.flatMap(places)).toEqual(
        Array.from({ length: 7 }, (_, number) => `${base}/page?a=1&b=${number}`),
      )
      for (const part of ['0', '4', '01', 'x', '']) {
        await expect(sitemap.getSitemapPart(part)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
    }),
)

test('50,000 addresses are one file, 50,001 are two', () =>
  withDatabase(app, async (database) => {
    const full = sitemapOf(database, 50_000)
    expect(places(await full.getSitemap())).toHaveLength(50_000)
    await expect(full.getSitemapPart('1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(places(await sitemapOf(database, 50_001).getSitemap())).toHaveLength(2)
  }))

test('the sitemap is generated once for simultaneous requests, without blocking the thread', () =>
  withDatabase(app, async (database) => {
    const sitemap = sitemapOf(database, 50_000)
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    count()
    const [first, second] = await Promise.all([sitemap.getSitemap(), sitemap.getSitemap()])
    isDone = true
    expect(second).toBe(first)
    expect(turns).toBeGreaterThan(20)
  }))
