import { rename } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { approvedProject, insertImage, publishPost, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { readPage } from '../support/server/html-page.ts'
import type { ReadPage } from '../support/server/html-page.ts'

let app: TestContent
let sha256: string
const paths: string[] = []

beforeAll(async () => {
  app = await startTestContent()
  sha256 = await insertImage(app, 'everywhere')
  const image = { sha256, alt: 'What is seen' }
  await app.release({ name: 'known' }, 'approved')
  const markdown = `See ![a chart](image:${sha256}) and ![](https://example.com/x.png).`
  await publishPost(app.desk, {
    slug: 'known',
    title: 'A <known> post',
    markdown,
    tags: ['news'],
    cover: image,
  })
  await approvedProject(app, {
    title: 'Known',
    pictures: [image, image],
    links: [{ label: 'Here', url: 'https://example.com/a' }],
  })
  const release = await page('/skills/known/1.0.0')
  const publisher = release.links.find((link) => link.startsWith('/publishers/')) ?? ''
  paths.push('/', '/skills', '/skills/known/1.0.0', publisher, '/blog', '/blog/known')
  paths.push('/showcase', '/showcase/known', '/showcase/submit', '/nothing-here')
})
afterAll(() => app.stop())

const page = (path: string, init: RequestInit = {}): Promise<ReadPage> => readPage(app.registry + path, init)
const json = { headers: { accept: 'application/json' } }

describe('every page', () => {
  test('has a title, a description, one main heading, and its canonical address if it has one', async () => {
    const titles = new Set<string>()
    for (const path of paths) {
      const read = await page(path)
      expect(read.text.match(/<h1[ >]/g), path).toHaveLength(1)
      expect(read.meta('description'), path).toBeTruthy()
      expect(read.meta('og:title'), path).toBeTruthy()
      expect(read.text, path).toContain('<html lang="en">')
      expect(read.alternate('application/atom+xml'), path).toBe(`${app.registry}/api/blog/feed.xml`)
      if (read.status === 200) expect(read.canonical, path).toBe(app.registry + path)
      titles.add(read.title)
    }
    expect(titles.size).toBe(paths.length)
  })

  test('runs nothing, loads nothing from elsewhere and cannot be framed', async () => {
    for (const path of paths) {
      const { headers, text } = await page(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, path).toContain("default-src 'none'")
      expect(policy, path).toContain("frame-ancestors 'none'")
      expect(policy, path).not.toMatch(/script-src|unsafe|\*/)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(text.match(/<script(?! type="application\/ld\+json")/g), path).toBeNull()
      expect(text, path).not.toMatch(/<[^>]* (?:style|on[a-z]+)=/)
      expect(text, path).not.toMatch(/<(?:img|link|iframe|object|embed)[^>]*(?:src|srcset)="https?:/)
    }
  })

  test('is cached with an ETag and revalidated each time', async () => {
    for (const path of paths.filter((one) => one !== '/nothing-here')) {
      const { headers } = await page(path)
      expect(headers.get('cache-control'), path).toBe('no-cache')
      const etag = headers.get('etag') ?? ''
      const again = await page(path, { headers: { 'if-none-match': etag } })
      expect([again.status, again.text], path).toEqual([304, ''])
    }
  })

  test('responds to HEAD with only the headers', async () => {
    const { text, headers } = await page('/skills')
    const head = await page('/skills', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(head.headers.get('etag')).toBe(headers.get('etag'))
  })

  test('links its Markdown version, which exists', async () => {
    const versions = [
      ['/', '/llms.txt'],
      ['/skills', '/docs-markdown/site/marketplace.md'],
      ['/skills/known/1.0.0', '/docs-markdown/marketplace/known/1.0.0.md'],
      ['/blog/known', '/docs-markdown/blog/known.md'],
      ['/showcase/known', '/docs-markdown/showcase/known.md'],
    ] as const
    for (const [path, markdown] of versions) {
      const read = await page(path)
      expect(read.alternate('text/markdown'), path).toBe(app.registry + markdown)
      expect(read.links, path).toContain(markdown)
      expect((await fetch(app.registry + markdown)).status, markdown).toBe(200)
    }
  })

  test('has one stylesheet below 12 KB, whose name depends on its content', async () => {
    const { text } = await page('/')
    const file = /href="(\/assets\/site-[0-9a-f]{12}\.css)"/.exec(text)?.[1] ?? ''
    const response = await fetch(app.registry + file)
    const css = await response.text()
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(css.length).toBeLessThan(12_000)
    expect(css).not.toMatch(/@import|url\((?!inter-|jetbrains-)/)
    expect((await fetch(`${app.registry}/assets/site-0.css`)).status).toBe(404)
  })
})

describe('posts and projects', () => {
  test('show renditions of their images, never the uploaded file', async () => {
    for (const path of ['/', '/blog', '/blog/known', '/showcase', '/showcase/known']) {
      const { text } = await page(path)
      expect(text, path).toMatch(
        /<img\s+src="\/media\/[a-f0-9]{64}\.webp"\s+srcset="[^"]* 480w, [^"]* 960w, [^"]* 1200w"/,
      )
      expect(text, path).not.toContain('/uploads/')
      expect(text, path).not.toContain(sha256)
    }
  })

  test('have Open Graph and structured data', async () => {
    const post = await page('/blog/known')
    expect(post.title).toBe('A <known> post – Skilldock')
    expect(post.meta('og:type')).toBe('article')
    expect(post.meta('og:image')).toMatch(new RegExp(`^${app.registry}/media/[a-f0-9]{64}\\.webp$`))
    expect(post.meta('og:image:alt')).toBe('What is seen')
    expect(post.meta('article:tag')).toBe('news')
    expect(post.jsonLd).toEqual([
      expect.objectContaining({ '@type': 'BlogPosting', headline: 'A <known> post', keywords: ['news'] }),
    ])
    const project = await page('/showcase/known')
    expect(project.jsonLd).toEqual([
      expect.objectContaining({ '@type': 'CreativeWork', sameAs: ['https://example.com/a'] }),
    ])
    expect(project.links).toContain('https://example.com/a')
  })

  test('show an image from another site as a link', async () => {
    const { text, links } = await page('/blog/known')
    expect(links).toContain('https://example.com/x.png')
    expect(text.match(/<img/g)).toHaveLength(2)
  })

  test('can be filtered by tag', async () => {
    expect((await page('/blog?tag=news')).links).toContain('/blog/known')
    const none = await page('/blog?tag=other')
    expect([none.status, none.links.includes('/blog/known')]).toEqual([200, false])
    expect(none.text).toContain('No post has the tag other.')
  })
})

describe('an error', () => {
  test('is a page for a browser, with the same status, message and next step', async () => {
    const read = await page('/skills/nothing/1.0.0')
    const sent = await fetch(`${app.registry}/skills/nothing/1.0.0`, json)
    const body = (await sent.json()) as { error: string; code: string }
    expect([read.status, sent.status, body.code]).toEqual([404, 404, 'NOT_FOUND'])
    expect(read.text).toContain(body.error)
    expect(read.headers.get('cache-control')).toBe('no-store')
    for (const headers of [read.headers, sent.headers]) expect(headers.get('vary')).toBe('Accept')
  })

  test('is an ErrorResponse for other clients, and always below /api/ and /docs-markdown/', async () => {
    const typeOf = async (path: string, accept: string): Promise<string | null> =>
      (await page(path, { headers: { accept } })).headers.get('content-type')
    const jsonType = 'application/json; charset=utf-8'
    expect(await typeOf('/nothing-here', 'text/html')).toBe('text/html; charset=utf-8')
    expect(await typeOf('/nothing-here', '*/*')).toBe(jsonType)
    expect(await typeOf('/nothing-here', 'text/html;q=0, */*')).toBe(jsonType)
    expect(await typeOf('/api/nothing', 'text/html')).toBe(jsonType)
    expect(await typeOf('/api/marketplace/skills/none', 'text/html')).toBe(jsonType)
    expect(await typeOf('/docs-markdown/blog/none.md', 'text/html')).toBe(jsonType)
  })

  test('about the method names the allowed methods', async () => {
    const read = await page('/skills', { method: 'POST' })
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(read.text).toContain('<h1>Method not allowed</h1>')
  })

  test('escapes the requested path', async () => {
    const { status, text } = await page('/%3Cscript%3Ealert(1)%3C/script%3E')
    expect(status).toBe(404)
    expect(text).not.toContain('<script>alert')
    for (const slug of ['NOT-A-SLUG', 'a--b', 'a'.repeat(200)]) {
      expect([(await page(`/blog/${slug}`)).status, (await page(`/showcase/${slug}`)).status]).toEqual([
        404, 404,
      ])
    }
  })

  test('is 503 on every page, even cached ones, while the database is missing', async () => {
    const { database } = dataPaths(app.folder)
    const known = paths.filter((path) => path !== '/nothing-here')
    await rename(database, `${database}.away`)
    try {
      await vi.waitFor(async () => expect((await page('/blog')).status).toBe(503), {
        timeout: 30_000,
        interval: 20,
      })
      for (const path of known) {
        const { status, headers, text } = await page(path)
        expect([path, status, Number(headers.get('retry-after')) > 0]).toEqual([path, 503, true])
        expect(text).toContain('<h1>Temporarily unavailable</h1>')
      }
    } finally {
      await rename(`${database}.away`, database)
    }
    await vi.waitFor(async () => expect((await page('/blog')).status).toBe(200), {
      timeout: 30_000,
      interval: 20,
    })
  })
})

test('behind a proxy every address starts with the public address, even one with a path', async () => {
  const below = await startTestContent({ config: { publicUrl: 'https://skills.example/registry' } })
  await below.release({ name: 'known' }, 'approved')
  const { canonical, links, text } = await readPage(`${below.registry}/skills`)
  expect(canonical).toBe('https://skills.example/registry/skills')
  expect(links.filter((link) => !link.startsWith('/registry/') && !link.startsWith('#'))).toEqual([])
  expect(text).toContain('href="/registry/assets/site-')
  expect(text).toContain('action="/registry/skills"')
  const { headers } = await readPage(`${below.registry}/skills/known`)
  expect(headers.get('location')).toBe('/registry/skills/known/1.0.0')
  await below.stop()
})
