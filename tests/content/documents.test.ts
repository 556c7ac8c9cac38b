import { marked } from 'marked'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  approvedProject,
  decideProject,
  draftPost,
  expected,
  insertImage,
  publishPost,
  startTestContent,
  submitProject,
} from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { imageFileName } from '../../src/shared/contracts/images.ts'
import type { Image } from '../../src/shared/contracts/images.ts'
import type { DeskPost } from '../../src/shared/contracts/desk-posts.ts'

let app: TestContent

beforeAll(async () => {
  app = await startTestContent()
})
afterAll(() => app.stop())

interface Answer {
  status: number
  type: string | null
  text: string
  code: string | undefined
}

async function get(path: string): Promise<Answer> {
  const response = await fetch(app.registry + path)
  const text = await response.text()
  const type = response.headers.get('content-type')
  const code = type?.startsWith('application/json') === true ? (JSON.parse(text).code as string) : undefined
  return { status: response.status, type, text, code }
}

const refused = async (path: string): Promise<[number, string | undefined]> => {
  const { status, code } = await get(path)
  return [status, code]
}

/** The front matter; every value is JSON, which is also valid YAML. */
function frontMatterOf(text: string): Record<string, unknown> {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n\n/.exec(text) ?? []
  return Object.fromEntries(
    head.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), JSON.parse(line.slice(at + 2)) as unknown]
    }),
  )
}

const largest = (image: Image): string => {
  const rendition = image.renditions.find(({ step }) => step === 'large')
  if (rendition === undefined) throw new Error('There is no large rendition')
  return `${app.registry}/media/${imageFileName(rendition.sha256, rendition.type)}`
}

describe('GET /api/blog/{slug}.md', () => {
  test('is the full published post with front matter, at both addresses', async () => {
    const sha256 = await insertImage(app, 'documents')
    const post = await publishPost(app.desk, {
      title: 'On # "files" & *such*',
      slug: 'on-files',
      summary: 'What: files are.',
      tags: ['wasi', 'files-2'],
      markdown: `## First\n\n![A file](image:${sha256})\n\n\`\`\`\n![not](image:${sha256})\n\`\`\`\n`,
      cover: { sha256, alt: 'A shelf' },
    })
    const { status, type, text } = await get('/api/blog/on-files.md')
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
    const cover = largest(post.images[0] as Image)
    expect(frontMatterOf(text)).toEqual({
      title: 'On # "files" & *such*',
      summary: 'What: files are.',
      author: 'Developer 2',
      published: post.publishAt,
      updated: post.publishAt,
      tags: ['wasi', 'files-2'],
      url: `${app.registry}/blog/on-files`,
      cover,
      cover_alt: 'A shelf',
    })
    const body = text.slice(text.indexOf('\n---\n\n') + 6)
    expect(body).toBe(
      `# On # "files" & \\*such\\*\n\n## First\n\n![A file](${cover})\n\n\`\`\`\n![not](image:${sha256})\n\`\`\`\n`,
    )
    expect((await get('/docs-markdown/blog/on-files.md')).text).toBe(text)
    expect((await get('/api/blog/on-files.md')).text).toBe(text)
  })

  test('is 404 for drafts, scheduled and unpublished posts, and invalid slugs', async () => {
    await draftPost(app.desk, { slug: 'a-draft' })
    await publishPost(app.desk, { slug: 'to-come' }, '2999-01-01T00:00:00Z')
    const { id } = await publishPost(app.desk, { slug: 'unpublished' })
    expect((await get('/api/blog/unpublished.md')).status).toBe(200)
    expected(await app.desk.send('POST', `/posts/${id}/unpublish`))
    const slugs = [
      'a-draft',
      'to-come',
      'unpublished',
      'nothing',
      'Not-A-Slug',
      'a--b',
      '-a',
      '%20',
      'x'.repeat(97),
    ]
    for (const slug of slugs) {
      for (const path of [`/api/blog/${slug}.md`, `/docs-markdown/blog/${slug}.md`]) {
        expect(await refused(path), path).toEqual([404, 'NOT_FOUND'])
      }
    }
  })

  test('stays the published version while the draft is edited', async () => {
    const { id, revision, content } = await publishPost(app.desk, {
      slug: 'steady',
      markdown: 'What is public.',
    })
    const before = (await get('/api/blog/steady.md')).text
    const change = { ...content, slug: 'other', title: 'Other', markdown: 'What is written.' }
    expected(await app.desk.send('PUT', `/posts/${id}`, { revision, content: change }))
    expect((await get('/api/blog/steady.md')).text).toBe(before)
    expect((await get('/api/blog/other.md')).status).toBe(404)
    const written = expected(await app.desk.get<DeskPost>(`/posts/${id}`))
    expected(await app.desk.send('POST', `/posts/${id}/publish`, { revision: written.revision, at: null }))
    expect((await get('/api/blog/steady.md')).status).toBe(404)
    expect((await get('/api/blog/other.md')).text).toContain('What is written.')
  })
})

describe('GET /docs-markdown/showcase/{slug}.md', () => {
  test('is the full approved project', async () => {
    const sha256 = await insertImage(app, 'project image')
    const project = await approvedProject(app, {
      title: 'Weather (station)',
      tagline: 'Reads *sensors*.',
      author: 'Ada <ada>',
      markdown: '# How\n\nIt reads sensors with a skill.\n\n```\nan open fence',
      links: [{ label: 'Source [code]', url: 'https://example.org/a_(b)?c=d' }],
      pictures: [{ sha256, alt: 'The ] box' }],
    })
    const { status, type, text } = await get('/docs-markdown/showcase/weather-station.md')
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(frontMatterOf(text)).toMatchObject({
      title: 'Weather (station)',
      tagline: 'Reads *sensors*.',
      author: 'Ada <ada>',
      url: `${app.registry}/showcase/weather-station`,
    })
    expect(text).toContain('# Weather (station)\n\nReads \\*sensors\\*.\n\nBy Ada \\<ada>\n')
    expect(text).toContain('- [Source \\[code\\]](<https://example.org/a_(b)?c=d>)')
    expect(text).toContain(`![The \\] box](${largest(project.images[0] as Image)})`)
    expect(text).toContain('## Description\n\n### How\n\nIt reads')
    expect(text.endsWith('```\nan open fence\n')).toBe(true)
  })

  test('is 404 for projects that are not approved', async () => {
    await submitProject(app, { title: 'Still pending' })
    await decideProject(app.desk, await submitProject(app, { title: 'Turned down' }), 'rejected')
    const { id } = await approvedProject(app, { title: 'Revoked later' })
    expect((await get('/docs-markdown/showcase/revoked-later.md')).status).toBe(200)
    await decideProject(app.desk, id, 'rejected', 'It no longer exists.')
    for (const slug of ['still-pending', 'turned-down', 'revoked-later', 'nothing', 'No_Slug']) {
      expect(await refused(`/docs-markdown/showcase/${slug}.md`), slug).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('GET /docs-markdown/site/marketplace.md', () => {
  let paged: TestContent
  beforeAll(async () => {
    paged = await startTestContent()
    for (let number = 1; number <= 101; number += 1) {
      await paged.release({ name: `skill-${number}` }, 'approved')
    }
    await paged.release({ name: 'pending' })
  })
  afterAll(() => paged.stop())

  const page = async (query: string): Promise<{ status: number; rows: string[]; next: string | null }> => {
    const response = await fetch(`${paged.registry}/docs-markdown/site/marketplace.md${query}`)
    const text = await response.text()
    return {
      status: response.status,
      rows: [...text.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)].map(([, label]) => label ?? ''),
      next: /\[Next page\]\((.+?)\)/.exec(text)?.[1] ?? null,
    }
  }

  test('lists 50 approved releases per page, newest first, and links the next page if there is one', async () => {
    const pages = [
      await page(''),
      await page('?offset=50'),
      await page('?offset=100'),
      await page('?offset=101'),
    ]
    expect(pages.map(({ rows }) => rows.length)).toEqual([50, 50, 1, 0])
    expect(pages.flatMap(({ rows }) => rows)).toEqual(
      Array.from({ length: 101 }, (_, index) => `skill-${101 - index} 1.0.0`),
    )
    const address = `${paged.registry}/docs-markdown/site/marketplace.md`
    expect(pages.map(({ next }) => next)).toEqual([
      `${address}?offset=50`,
      `${address}?offset=100`,
      null,
      null,
    ])
    // A full last page has no link.
    expect((await page('?offset=51')).next).toBeNull()
  })

  test('links existing documents', async () => {
    const response = await fetch(`${paged.registry}/docs-markdown/site/marketplace.md`)
    const links = [...(await response.text()).matchAll(/^- \[.+?\]\((.+?)\)/gm)].map(([, url]) => url ?? '')
    const statuses = await Promise.all(links.map(async (url) => (await fetch(url)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('is 400 for an invalid offset', async () => {
    for (const offset of ['-1', '100001', '1.5', 'x', '', '%20']) {
      expect(await refused(`/docs-markdown/site/marketplace.md?offset=${offset}`), offset).toEqual([
        400,
        'VALIDATION_FAILED',
      ])
    }
    expect((await page('?offset=100000')).status).toBe(200)
  })

  test('does not list revoked releases', async () => {
    const id = await app.release({ name: 'revoked-soon' }, 'approved')
    expect((await get('/docs-markdown/site/marketplace.md')).text).toContain('revoked-soon')
    await app.decide(id, 'revoked')
    expect((await get('/docs-markdown/site/marketplace.md')).text).not.toContain('revoked-soon')
  })
})

describe('GET /docs-markdown/marketplace/{name}/{version}.md', () => {
  test('is the complete documentation of the approved release', async () => {
    const id = await app.release(
      {
        name: 'whole',
        version: '1.2.3',
        description: 'Turns *all* letters | into [capitals].',
        readme:
          '# whole\n\nUnderlined\n---\n\n###### Deep\n\n> # Quoted\n\n```sh\n# a comment\n```\n<!-- open',
        inputs: 'One line with `ticks`.',
        outputs: 'Several\nlines\n````\nwith a fence',
        examples: [
          { input: 'a ``` b', output: '' },
          { input: '`````', output: '# no heading' },
        ],
        license: 'MIT',
        category: 'Data',
      },
      'approved',
    )
    const { status, type, text } = await get('/docs-markdown/marketplace/whole/1.2.3.md')
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
    const api = `${app.registry}/api/marketplace/skills/whole/1.2.3`
    const { sha256, size, createdAt } = (await (await fetch(api)).json()) as Record<string, unknown>
    expect(frontMatterOf(text)).toEqual({
      name: 'whole',
      version: '1.2.3',
      description: 'Turns *all* letters | into [capitals].',
      category: 'Data',
      license: 'MIT',
      publisher: 'Alice',
      owners: 'Alice',
      runtime: 'wasip1-command',
      entrypoint: '_start',
      pricing: 'free',
      sha256,
      size,
      submitted: createdAt,
      url: `${app.registry}/skills/whole/1.2.3`,
      package: `${api}/package`,
      manifest: `${api}/manifest`,
    })
    expect(text).toContain('# whole 1.2.3\n\nTurns \\*all\\* letters \\| into \\[capitals\\].\n')
    expect(text).toContain(
      '## Install\n\n```sh\nskill install whole@1.2.3\n```\n\nRequires `skill`, the client of this registry. To install it ' +
        `(requires Node 20 or newer):\n\n\`\`\`sh\ncurl -fsSL ${app.registry}/install.sh | sh\n\`\`\`\n`,
    )
    expect(text).toContain(`curl -fsSLo whole-1.2.3.wasm ${api}/package\n`)
    expect(text).toContain('## Inputs\n\nOne line with \\`ticks\\`.\n')
    expect(text).toContain('## Outputs\n\n`````text\nSeveral\nlines\n````\nwith a fence\n`````\n')
    expect(text).toContain('````text\na ``` b\n````\n')
    expect(text).toContain('``````text\n`````\n``````\n')
    expect(text).toContain('## Review\n\nIt was approved with good reason.\n')
    expect(text).toContain('## Readme\n\n### whole\n\n#### Underlined\n\n###### Deep\n\n> ### Quoted\n')
    expect(text).toContain('```sh\n# a comment\n```\n<!-- open')
    const headings = marked
      .lexer(text.slice(text.indexOf('\n# ')))
      .flatMap((token) => (token.type === 'heading' ? [`${token.depth} ${token.text as string}`] : []))
    expect(headings).toEqual([
      '1 whole 1.2.3',
      '2 Install',
      '2 Inputs',
      '2 Outputs',
      '2 Examples',
      '3 Example 1',
      '3 Example 2',
      '2 Review',
      '2 Readme',
      '3 whole',
      '4 Underlined',
      '6 Deep',
    ])
    await app.decide(id, 'revoked')
    expect(await refused('/docs-markdown/marketplace/whole/1.2.3.md')).toEqual([404, 'NOT_FOUND'])
  })

  test('is 404 without an approved version, and 400 for an invalid name or version', async () => {
    await app.release({ name: 'waiting' })
    await app.release({ name: 'refused-one' }, 'rejected')
    for (const path of ['waiting/1.0.0', 'refused-one/1.0.0', 'unknown/1.0.0', 'waiting/9.9.9']) {
      expect(await refused(`/docs-markdown/marketplace/${path}.md`), path).toEqual([404, 'NOT_FOUND'])
    }
    for (const path of [
      'Upper/1.0.0',
      'a--b/1.0.0',
      '1a/1.0.0',
      'a/1.0',
      'a/01.0.0',
      'a/latest',
      `${'a'.repeat(65)}/1.0.0`,
    ]) {
      expect(await refused(`/docs-markdown/marketplace/${path}.md`), path).toEqual([400, 'VALIDATION_FAILED'])
    }
  })
})

describe('a document', () => {
  test('is byte for byte the same each time, and 304 if unchanged', async () => {
    await app.release({ name: 'stable' }, 'approved')
    await publishPost(app.desk, { slug: 'stable' })
    await approvedProject(app, { title: 'Stable' })
    for (const path of [
      '/api/blog/stable.md',
      '/docs-markdown/blog/stable.md',
      '/docs-markdown/showcase/stable.md',
      '/docs-markdown/site/marketplace.md',
      '/docs-markdown/marketplace/stable/1.0.0.md',
    ]) {
      const first = await fetch(app.registry + path)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{43}"$/)
      // Caches must revalidate, so that revoked content disappears with the next request.
      expect(first.headers.get('cache-control')).toBe('no-cache')
      const text = await first.text()
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await fetch(app.registry + path, { headers: { 'if-none-match': tags } })
        expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
      }
      const other = await fetch(app.registry + path, { headers: { 'if-none-match': '"other"' } })
      expect([other.status, await other.text()]).toEqual([200, text])
      const head = await fetch(app.registry + path, { method: 'HEAD' })
      expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    }
  })

  test('of the marketplace API is sent in full, whatever If-None-Match says', async () => {
    for (const path of ['skills', 'skills/stable', 'skills/stable/1.0.0', 'skills/stable/1.0.0/manifest']) {
      const response = await fetch(`${app.api}/${path}`, { headers: { 'if-none-match': '*' } })
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBeNull()
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })
})
