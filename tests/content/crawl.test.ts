import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approvedProject,
  draftPost,
  publishPost,
  startTestContent,
  submitProject,
} from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'

let app: TestContent

beforeAll(async () => {
  app = await startTestContent()
  // More than one page each of the catalog, the blog and the showcase.
  for (let number = 1; number <= 51; number += 1) {
    await app.release({ name: `skill-${number}` }, 'approved')
  }
  await app.release({ name: 'skill-1', version: '1.1.0' }, 'approved')
  await app.release({ name: 'waits' })
  await app.release({ name: 'gone' }, 'approved', 'revoked')
  for (let number = 1; number <= 21; number += 1) {
    await publishPost(app.desk, { slug: `crawled-${number}`, tags: [`tag-${number % 3}`] })
  }
  await draftPost(app.desk, { slug: 'draft' })
  await publishPost(app.desk, { slug: 'to-come' }, '2999-01-01T00:00:00Z')
  for (let number = 1; number <= 25; number += 1) {
    await approvedProject(app, { title: `Shown ${number}` })
  }
  await submitProject(app, { title: 'Pending' })
})
afterAll(() => app.stop())

interface Page {
  status: number
  canonical: string | null
  links: string[]
}

const decoded = (text: string): string => text.replaceAll('&amp;', '&')

/** Null if it is not HTML. */
async function visit(url: string): Promise<Page | null> {
  const response = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
  const text = await response.text()
  const location = response.headers.get('location')
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
  if (!isPage && location === null) return null
  const hrefs = [...text.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href]) => decoded(href ?? ''))
  return {
    status: response.status,
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(text)?.[1] ?? null,
    links: [...hrefs, ...(location === null ? [] : [location])]
      .map((href) => new URL(href, url))
      .filter(({ origin }) => origin === app.registry)
      .map(({ origin, pathname, search }) => origin + pathname + search),
  }
}

const sitemap = async (): Promise<Set<string>> => {
  const text = await (await fetch(`${app.registry}/api/sitemap.xml`)).text()
  return new Set([...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => decoded(url ?? '')))
}

test('every address in the sitemap responds with 200', async () => {
  const addresses = await sitemap()
  expect(addresses.size).toBeGreaterThan(100)
  for (const url of addresses) {
    const page = await visit(url)
    expect(page?.status, url).toBe(200)
    // The canonical address of a page of a list may be the list.
    if (!url.includes('?')) expect(page?.canonical, url).toBe(url)
  }
})

test('no link is broken, every linked page is in the sitemap, and every page in the sitemap is linked', async () => {
  const addresses = await sitemap()
  const seen = new Set([`${app.registry}/`])
  const missing: string[] = []
  const broken: string[] = []
  const reached = new Set<string>()
  for (const url of seen) {
    const page = await visit(url)
    if (page === null) continue
    for (const link of page.links) seen.add(link)
    if (page.status >= 400) broken.push(`${page.status} ${url}`)
    if (page.status !== 200) continue
    reached.add(url)
    if (!addresses.has(url)) missing.push(url)
  }
  expect(broken).toEqual([])
  expect(missing).toEqual([])
  expect([...addresses].filter((url) => !reached.has(url))).toEqual([])
})
