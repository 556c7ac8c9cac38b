import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DeskPost } from '../../src/shared/contracts/desk-posts.ts'
import {
  approvedProject,
  draftPost,
  expected,
  insertImage,
  publishPost,
  startTestContent,
  submitProject,
} from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { skipWithout } from '../support/programs.ts'
import { lintXml } from '../support/server/xmllint.ts'

let app: TestContent

beforeAll(async () => {
  app = await startTestContent()
})
afterAll(() => app.stop())

const read = async (path: string, on = app): Promise<string> => {
  const response = await fetch(on.registry + path)
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return response.text()
}

const decoded = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const valueOf = (xml: string, element: string): string | null => {
  const found = new RegExp(`<${element}(?: [^>]*)?>([\\s\\S]*?)</${element}>`).exec(xml)?.[1]
  const verbatim = /^<!\[CDATA\[([\s\S]*)\]\]>$/.exec(found ?? '')?.[1]
  return found === undefined ? null : (verbatim ?? decoded(found))
}

const entriesOf = (feed: string): string[] =>
  [...feed.matchAll(/<entry>([\s\S]*?)<\/entry>/g)].map(([, entry]) => entry ?? '')
const placesOf = (sitemap: string): string[] =>
  [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => decoded(url ?? ''))

describe('GET /api/blog/feed.xml', () => {
  test.skipIf(skipWithout('xmllint'))('is valid Atom without posts', async () => {
    const empty = await startTestContent()
    const first = await read('/api/blog/feed.xml', empty)
    expect(lintXml(first, 'atom.rng')).toBe('')
    expect(entriesOf(first)).toEqual([])
    expect(await read('/api/blog/feed.xml', empty)).toBe(first)
    await empty.stop()
  })

  test('contains every published post with its HTML, times, author, tags and links', async () => {
    const sha256 = await insertImage(app, 'feed')
    const title = 'A <b>title</b> & "more" ]]>'
    const post = await publishPost(
      app.desk,
      {
        title,
        slug: 'in-the-feed',
        summary: 'One & <two>.',
        tags: ['wasi', 'news'],
        markdown: `Text <script>alert(1)</script> ]]> [link](javascript:alert(1))\n\n![A pic](image:${sha256})`,
      },
      '2026-03-04T05:06:07Z',
    )
    const feed = await read('/api/blog/feed.xml')
    const entry = entriesOf(feed).find((one) => one.includes('in-the-feed')) ?? ''
    expect(decoded(valueOf(entry, 'title') ?? '')).toBe(title)
    expect(decoded(valueOf(entry, 'summary') ?? '')).toBe('One & <two>.')
    expect(valueOf(entry, 'id')).toBe(`tag:127.0.0.1,2026:post-${post.id}`)
    expect(valueOf(entry, 'published')).toBe('2026-03-04T05:06:07.000Z')
    expect(valueOf(entry, 'name')).toBe('Developer 2')
    expect([...entry.matchAll(/<category term="(.*?)"/g)].map(([, term]) => term)).toEqual(['wasi', 'news'])
    expect(entry).toContain(`<link href="${app.registry}/blog/in-the-feed"/>`)
    expect(feed).toContain(`<link rel="self" href="${app.registry}/api/blog/feed.xml"/>`)
    expect(feed).toContain(`<link rel="alternate" href="${app.registry}/blog"/>`)
    const content = valueOf(entry, 'content') ?? ''
    expect(content).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(content).not.toMatch(/<script|href="javascript/)
    expect(content).toContain(`<img src="${app.registry}/media/`)
  })

  test('has the time of the last published edit, and keeps the id when title and slug change', async () => {
    const { id, revision, content } = await publishPost(
      app.desk,
      { slug: 'edited-later' },
      '2026-01-01T00:00:00Z',
    )
    const entry = async (slug: string): Promise<string> =>
      entriesOf(await read('/api/blog/feed.xml')).find((one) => one.includes(`/blog/${slug}"`)) ?? ''
    const before = await entry('edited-later')
    const change = { ...content, slug: 'edited-now', title: 'Edited' }
    expected(await app.desk.send('PUT', `/posts/${id}`, { revision, content: change }))
    expect(await entry('edited-later')).toBe(before)
    const publish = { revision: revision + 1, at: null }
    expected(await app.desk.send<DeskPost>('POST', `/posts/${id}/publish`, publish))
    const after = await entry('edited-now')
    expect(valueOf(after, 'id')).toBe(valueOf(before, 'id'))
    expect(valueOf(after, 'published')).toBe('2026-01-01T00:00:00.000Z')
    expect(valueOf(after, 'updated') ?? '' > (valueOf(before, 'updated') ?? '')).toBeTruthy()
    const feed = await read('/api/blog/feed.xml')
    const times = entriesOf(feed).map((one) => valueOf(one, 'updated') ?? '')
    expect(valueOf(feed.replaceAll(/<entry>[\s\S]*<\/entry>/g, ''), 'updated')).toBe(times.toSorted().at(-1))
  })

  test.skipIf(skipWithout('xmllint'))('is valid Atom for any text in posts and names', async () => {
    await publishPost(app.desk, {
      title: 'Control \u0007 \u000b \ufffe',
      slug: 'hostile',
      summary: '\u0000 & ]]> <!-- <![CDATA[',
      markdown: `${'> '.repeat(10_000)}deep\u0001\n\n\ud83d\ude00 <![CDATA[ ]]> &nbsp; <br> \u2028`,
    })
    const rita = await app.token({ subject: 'rita', name: 'R & B <x> &amp; "q"', role: 'administrator' })
    expect(rita).not.toBe('')
    const feed = await read('/api/blog/feed.xml')
    expect(lintXml(feed, 'atom.rng')).toBe('')
    expect(decoded(/<name>(.*?)<\/name>/.exec(feed)?.[1] ?? '')).toBe('R & B <x> &amp; "q"')
    expect(lintXml(feed.replace('<id>', '<id>no uri'), 'atom.rng')).not.toBe('')
  })

  test('contains only the newest 50 posts, newest first', async () => {
    const many = await startTestContent()
    for (let day = 1; day <= 52; day += 1) {
      const at = new Date(Date.UTC(2025, 0, day)).toISOString()
      await publishPost(many.desk, { slug: `day-${day}`, tags: ['day', 'day'] }, at)
    }
    const links = entriesOf(await read('/api/blog/feed.xml', many)).map(
      (entry) => /\/blog\/(day-\d+)"/.exec(entry)?.[1],
    )
    expect(links).toEqual(Array.from({ length: 50 }, (_, index) => `day-${52 - index}`))
    // Three pages of 20, even if posts list a tag twice.
    const tagged = placesOf(await read('/api/sitemap.xml', many)).filter((place) => place.includes('tag=day'))
    expect(tagged).toHaveLength(3)
    await many.stop()
  })

  test('contains a limited amount of text; older posts have only their summary', async () => {
    const large = await startTestContent()
    for (const slug of ['oldest', 'older', 'between', 'newer', 'newest']) {
      await publishPost(large.desk, { slug, markdown: '&a'.repeat(90_000), summary: 'Short.' })
    }
    const entries = entriesOf(await read('/api/blog/feed.xml', large))
    const lengths = entries.map((entry) => valueOf(entry, 'content')?.length ?? 0)
    await large.stop()
    expect(entries.map((entry) => valueOf(entry, 'summary'))).toEqual(Array(5).fill('Short.'))
    const long = 90_000 * '&amp;a'.length
    expect(lengths.map((length) => length > long)).toEqual([true, true, true, true, false])
  })
})

describe('GET /api/sitemap.xml', () => {
  test.skipIf(skipWithout('xmllint'))(
    'is valid and contains every public page and nothing else',
    async () => {
      const site = await startTestContent()
      await site.release({ name: 'one', version: '1.0.0' }, 'approved')
      await site.release({ name: 'one', version: '1.1.0' }, 'approved')
      await site.release({ name: 'waits' })
      await site.release({ name: 'gone' }, 'approved', 'revoked')
      await publishPost(site.desk, { slug: 'public' })
      await publishPost(site.desk, { slug: 'to-come' }, '2999-01-01T00:00:00Z')
      await draftPost(site.desk, { slug: 'draft' })
      await approvedProject(site, { title: 'Shown' })
      await submitProject(site, { title: 'Pending' })
      const response = await fetch(`${site.registry}/api/sitemap.xml`)
      expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
      const sitemap = await response.text()
      expect(lintXml(sitemap, 'sitemap.xsd')).toBe('')
      expect(lintXml(sitemap.replace('<loc>', '<loc>x'), 'sitemap.xsd')).not.toBe('')
      expect(placesOf(sitemap).toSorted()).toEqual(
        [
          '/',
          '/blog',
          '/blog/public',
          '/publishers/1',
          '/showcase',
          '/showcase/shown',
          '/showcase/submit',
          '/skills',
          '/skills/one/1.0.0',
          '/skills/one/1.1.0',
          '/skills?category=Calculators',
          '/skills?category=Data',
          '/skills?category=Other',
          '/skills?category=Parsers',
          '/skills?category=Transformers',
          '/skills?category=Validators',
        ].map((path) => site.registry + path),
      )
      await site.stop()
    },
  )

  test('is updated with the content, and has no parts while one file is enough', async () => {
    const id = await app.release({ name: 'comes-and-goes' }, 'approved')
    const address = `${app.registry}/skills/comes-and-goes/1.0.0`
    expect(placesOf(await read('/api/sitemap.xml'))).toContain(address)
    await app.decide(id, 'revoked')
    expect(placesOf(await read('/api/sitemap.xml'))).not.toContain(address)
    for (const part of ['1', '0', 'x', '-1', '1.5']) {
      expect((await fetch(`${app.registry}/api/sitemap/${part}.xml`)).status, part).toBe(404)
    }
  })
})

describe('GET /api/blog/sitemap.xml', () => {
  test('redirects permanently to /api/sitemap.xml', async () => {
    const response = await fetch(`${app.registry}/api/blog/sitemap.xml`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([308, '/api/sitemap.xml'])
    const followed = await fetch(`${app.registry}/api/blog/sitemap.xml`)
    expect(followed.url).toBe(`${app.registry}/api/sitemap.xml`)
    expect(followed.status).toBe(200)
  })
})

describe('a scheduled post', () => {
  test('becomes public at its time without any action: document, feed and sitemap', async () => {
    const at = new Date(Date.now() + 1500).toISOString()
    await publishPost(app.desk, { slug: 'on-time' }, at)
    const seen = async (): Promise<boolean[]> => {
      const document = await fetch(`${app.registry}/api/blog/on-time.md`)
      return [
        document.status === 200,
        (await read('/api/blog/feed.xml')).includes('/blog/on-time'),
        placesOf(await read('/api/sitemap.xml')).includes(`${app.registry}/blog/on-time`),
      ]
    }
    expect(await seen()).toEqual([false, false, false])
    await vi.waitFor(async () => expect(await seen()).toEqual([true, true, true]), {
      timeout: 30_000,
      interval: 50,
    })
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at))
  })
})

describe('security.txt', () => {
  const contact = (value: string | null) =>
    app.desk.send('PUT', '/settings', { changes: { securityContact: value } })

  test('has the contact from the settings and expires within half a year (RFC 9116)', async () => {
    expect((await fetch(`${app.registry}/.well-known/security.txt`)).status).toBe(404)
    expect((await contact('mailto:security@example.com')).status).toBe(200)
    const response = await fetch(`${app.registry}/.well-known/security.txt`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const fields = (await response.text()).trimEnd().split('\n')
    expect(fields).toEqual([
      'Contact: mailto:security@example.com',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      `Canonical: ${app.registry}/.well-known/security.txt`,
    ])
    const days = (Date.parse(fields[1]?.slice('Expires: '.length) ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(178)
    expect(days).toBeLessThan(181)
    expect((await contact(null)).status).toBe(200)
    expect((await fetch(`${app.registry}/.well-known/security.txt`)).status).toBe(404)
  })

  test('has no contact that is neither a web page, an e-mail address nor a telephone number', async () => {
    const { status, body } = await contact('security@example.com')
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('must start with https:, mailto: or tel:')
  })
})

describe('robots.txt and llms.txt', () => {
  test('robots.txt allows everything and names the sitemap', async () => {
    const response = await fetch(`${app.registry}/robots.txt`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(
      `User-agent: *\nAllow: /\n\nSitemap: ${app.registry}/api/sitemap.xml\n`,
    )
  })

  test('llms.txt links Markdown documents that all exist', async () => {
    await publishPost(app.desk, { slug: 'for-models', title: 'For [models]' })
    await approvedProject(app, { title: 'For models too' })
    const guide = await read('/llms.txt')
    expect(guide).toMatch(/^# Skilldock\n\n> /)
    expect(guide).toContain(`[For \\[models\\]](${app.registry}/docs-markdown/blog/for-models.md)`)
    expect(guide).toContain(`(${app.registry}/docs-markdown/showcase/for-models-too.md)`)
    expect(guide).toContain(`(${app.registry}/install.sh)`)
    const links = [...guide.matchAll(/\]\((http.+?)\)/g)].map(([, url]) => url ?? '')
    expect(links).toContain(`${app.registry}/docs-markdown/site/marketplace.md`)
    const statuses = await Promise.all(links.map(async (url) => (await fetch(url)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('a feed, sitemap or guide', () => {
  test('is 304 if unchanged', async () => {
    for (const path of [
      '/api/blog/feed.xml',
      '/api/sitemap.xml',
      '/robots.txt',
      '/llms.txt',
      '/openapi.json',
    ]) {
      const first = await fetch(app.registry + path)
      const etag = first.headers.get('etag') ?? ''
      expect(first.headers.get('cache-control'), path).toBe('no-cache')
      await first.text()
      const again = await fetch(app.registry + path, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()], path).toEqual([304, ''])
    }
  })

  test('uses the public address', async () => {
    const proxied = await startTestContent({ config: { publicUrl: 'https://skills.example/all' } })
    await publishPost(proxied.desk, { slug: 'a-post' })
    await proxied.release({ name: 'a-skill' }, 'approved')
    expect(placesOf(await read('/api/sitemap.xml', proxied))).toContain(
      'https://skills.example/all/blog/a-post',
    )
    expect(await read('/api/blog/feed.xml', proxied)).toContain('<id>tag:skills.example,2026:blog</id>')
    expect(await read('/docs-markdown/site/marketplace.md', proxied)).toContain(
      '(https://skills.example/all/docs-markdown/marketplace/a-skill/1.0.0.md)',
    )
    const old = await fetch(`${proxied.registry}/api/blog/sitemap.xml`, { redirect: 'manual' })
    expect(old.headers.get('location')).toBe('/all/api/sitemap.xml')
    await proxied.stop()
  })
})
