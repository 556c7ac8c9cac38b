import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideToEffect, signIn, withDatabase } from '../support/desk/desk-client.ts'
import { readPage } from '../support/server/html-page.ts'
import type { ReadPage } from '../support/server/html-page.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
})
afterAll(() => app.stop())

const page = (path: string): Promise<ReadPage> => readPage(app.registry + path)
const listed = ({ links }: ReadPage): string[] =>
  links.filter((link) => /^\/skills\/[^/?]+\/[^/?]+$/.test(link))

describe('/skills/NAME/VERSION', () => {
  test('shows what it is, how to install it, its review and its readme', async () => {
    const wasm = await importingModule('fd_write', 'path_open')
    const id = await app.submit(
      { name: 'shown', readme: '# shown\n\n## Use\n\nRun *it* on a file.' },
      undefined,
      wasm,
    )
    await app.decide(id, 'approved')
    const { status, text, headers } = await page('/skills/shown/1.0.0')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('<h1 class="mono">shown 1.0.0</h1>')
    expect(text).toContain('<code class="box">skill install shown@1.0.0</code>')
    expect(text).toContain(`<code class="box">curl -fsSL ${app.registry}/install.sh | sh</code>`)
    expect(text).toContain('<a href="/api/marketplace/skills/shown/1.0.0/package" download>')
    expect(text).toMatch(/Reads files<\/th><td class="no">not run/)
    expect(text).toContain('It cannot read the environment or the clock, get random numbers or use sockets.')
    expect(text).toContain('It was approved with good reason.')
    expect(text).toContain('<p>Run <em>it</em> on a file.</p>')
    // The title of the page already says it.
    expect(text.match(/>shown</g)).toBeNull()
    expect(text).toContain('aria-label="Example, standard input">\nabc</pre>')
    expect(text).toMatch(/<code class="box">[a-f0-9]{64}<\/code>/)
  })

  test('shows the test runs of the review, with used and imported capabilities', async () => {
    const wasm = await importingModule('fd_read', 'fd_write', 'random_get')
    const id = await app.submit({ name: 'stated' }, undefined, wasm)
    const digest = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    const run = {
      example: 0,
      end: 'exited',
      exitCode: 0,
      stdoutSha256: digest('ABC'),
      stdoutBytes: 3,
      stderrBytes: 0,
      timeMs: 1,
      peakMemoryBytes: 1_153_434,
      calls: [
        { name: 'fd_read', count: 1 },
        { name: 'fd_write', count: 1 },
      ],
      detail: null,
    }
    await decideToEffect(await signIn(app, 'rita'), id, 'approved', {
      reason: 'The output matches the examples.',
      observation: {
        sha256: digest(wasm),
        checks: '1.5',
        ranAt: '2026-11-21T10:00:00.000Z',
        limits: { timeMs: 10_000, memoryBytes: 67_108_864, outputBytes: 1_048_576 },
        runs: [run],
      },
    })
    const { text } = await page('/skills/stated/1.0.0')
    expect(text).toMatch(/1 of 1 examples passed<\/span>\s+in a sandbox, peak memory 1.1 MiB/)
    expect(text).toMatch(/with checks version 1\.5: “The output matches the examples\.”/)
    expect(text).toMatch(/Reads standard input<\/th>\s*<td\s*>1 of 1/)
    expect(text).toMatch(/Gets random numbers<\/th>\s*<td\s+class="no"\s*>never/)
  })

  test('has a title, a canonical address, a Markdown version and structured data', async () => {
    await app.release({ name: 'described', license: 'Apache-2.0' }, 'approved')
    const read = await page('/skills/described/1.0.0')
    expect(read.title).toBe('described 1.0.0 – Skilldock')
    expect(read.canonical).toBe(`${app.registry}/skills/described/1.0.0`)
    expect(read.meta('og:url')).toBe(read.canonical)
    expect(read.meta('description')).toBe('Turns every letter into its capital.')
    expect(read.alternate('text/markdown')).toBe(
      `${app.registry}/docs-markdown/marketplace/described/1.0.0.md`,
    )
    expect(read.alternate('application/atom+xml')).toBe(`${app.registry}/api/blog/feed.xml`)
    expect(read.jsonLd).toEqual([
      expect.objectContaining({
        '@type': 'SoftwareApplication',
        softwareVersion: '1.0.0',
        license: 'Apache-2.0',
      }),
      expect.objectContaining({ '@type': 'BreadcrumbList' }),
    ])
    for (const address of [
      read.alternate('text/markdown'),
      `${app.registry}${read.links.find((link) => link.endsWith('/package')) ?? ''}`,
    ]) {
      expect((await fetch(address ?? '')).status).toBe(200)
    }
  })

  test('links later and earlier versions', async () => {
    await app.release({ name: 'thrice', version: '1.0.0' }, 'approved')
    await app.release({ name: 'thrice', version: '1.1.0' }, 'approved')
    await app.release({ name: 'thrice', version: '1.2.0' }, 'rejected')
    const first = await page('/skills/thrice/1.0.0')
    expect(first.text).toContain('was submitted later and is also approved')
    expect(first.text).not.toContain('Earlier reviews')
    const second = await page('/skills/thrice/1.1.0')
    expect(second.text).not.toContain('was submitted later')
    expect(second.text).toContain('Earlier reviews')
    expect(second.links).toContain('/skills/thrice/1.0.0')
    expect(second.text).not.toContain('1.2.0')
  })

  test('exists only while the release is approved', async () => {
    const id = await app.submit({ name: 'brief' })
    expect((await page('/skills/brief/1.0.0')).status).toBe(404)
    await app.decide(id, 'approved')
    expect((await page('/skills/brief/1.0.0')).status).toBe(200)
    expect((await page('/skills/brief/1.0.0')).status).toBe(200)
    expect(listed(await page('/skills'))).toContain('/skills/brief/1.0.0')
    await app.decide(id, 'revoked')
    expect((await page('/skills/brief/1.0.0')).status).toBe(404)
    expect((await page('/skills/brief')).status).toBe(404)
    expect(listed(await page('/skills'))).not.toContain('/skills/brief/1.0.0')
  })

  test('a release that another process revokes is not sent from any cache', async () => {
    const id = await app.release({ name: 'cached' }, 'approved')
    const setStatus = (status: string): Promise<unknown> =>
      withDatabase(app, (database) =>
        database.transact(() =>
          database.writer.prepare('UPDATE releases SET status = ? WHERE id = ?').run(status, id),
        ),
      )
    const api = '/api/marketplace/skills/cached'
    const paths = [
      `${api}/1.0.0`,
      '/skills/cached/1.0.0',
      '/docs-markdown/marketplace/cached/1.0.0.md',
      api,
      `${api}/1.0.0/manifest`,
    ]
    // In sequence, because the first request after a change may empty the caches of the others.
    const statuses = async (): Promise<number[]> => {
      const found: number[] = []
      for (const path of paths) found.push((await fetch(app.registry + path)).status)
      return found
    }
    for (const [status, expected] of [
      ['revoked', 404],
      ['approved', 200],
      ['revoked', 404],
    ] as const) {
      // In sequence: a response is cached when it is requested a second time.
      for (let times = 0; times < 3; times += 1) await statuses()
      await setStatus(status)
      expect(await statuses()).toEqual(paths.map(() => expected))
    }
  })

  test('/skills/NAME redirects to the approved release that was submitted last', async () => {
    await app.release({ name: 'led', version: '2.0.0' }, 'approved')
    await app.release({ name: 'led', version: '1.9.0' }, 'approved')
    await app.release({ name: 'led', version: '3.0.0' })
    const { status, headers } = await page('/skills/led')
    expect([status, headers.get('location')]).toEqual([303, '/skills/led/1.9.0'])
  })
})

describe('/skills', () => {
  test('lists every skill once, with its latest approved release and its capabilities', async () => {
    await app.release({ name: 'once', version: '1.0.0' }, 'approved')
    const wasm = await importingModule('fd_write', 'clock_time_get', 'random_get')
    await app.decide(await app.submit({ name: 'once', version: '1.1.0' }, undefined, wasm), 'approved')
    const read = await page('/skills?q=once')
    expect(listed(read)).toEqual(['/skills/once/1.1.0'])
    expect(read.text).toContain('reads the clock and gets random numbers')
  })

  test('searches like the API, treats %, _ and quotes as plain characters, and names a query without results', async () => {
    await app.release({ name: 'seek-percent', description: 'Counts 100 % of all_things.' }, 'approved')
    for (const q of ['SEEK-PER', '100 %', 'all_things']) {
      expect(listed(await page(`/skills?${new URLSearchParams({ q }).toString()}`))).toEqual([
        '/skills/seek-percent/1.0.0',
      ])
    }
    const none = await page(`/skills?${new URLSearchParams({ q: '<b>"nothing"</b>' }).toString()}`)
    expect([none.status, listed(none)]).toEqual([200, []])
    expect(none.text).toContain('No skills match “&lt;b&gt;&quot;nothing&quot;&lt;/b&gt;”.')
    expect(none.meta('robots')).toBe('noindex')
    expect(none.canonical).toBeNull()
  })

  test('can be filtered by category, alone and with a search', async () => {
    await app.release(
      { name: 'number-one', category: 'Calculators', description: 'Mentions data and parsers.' },
      'approved',
    )
    await app.release(
      { name: 'number-two', category: 'Data', description: 'Mentions calculators here.' },
      'approved',
    )
    expect(listed(await page('/skills?category=Calculators'))).toContain('/skills/number-one/1.0.0')
    expect(listed(await page('/skills?category=Calculators'))).not.toContain('/skills/number-two/1.0.0')
    expect(listed(await page('/skills?category=Data&q=number'))).toEqual(['/skills/number-two/1.0.0'])
    expect((await page('/skills?category=Games')).status).toBe(400)
  })

  test('has 50 skills per page, with links to the previous and next page', async () => {
    const long = await startTestRegistry()
    // In sequence, because the test depends on the order.
    for (let n = 1; n <= 53; n += 1) await long.release({ name: `row-${n}` }, 'approved')
    const first = await readPage(`${long.registry}/skills`)
    expect(listed(first)).toHaveLength(50)
    expect(listed(first)[0]).toBe('/skills/row-53/1.0.0')
    expect(first.text).toContain('1 to 50 of 53')
    expect(first.links).toContain('/skills?offset=50')
    const second = await readPage(`${long.registry}/skills?offset=50`)
    expect(listed(second)).toEqual(['/skills/row-3/1.0.0', '/skills/row-2/1.0.0', '/skills/row-1/1.0.0'])
    expect(second.canonical).toBe(`${long.registry}/skills?offset=50`)
    expect(second.links).toContain('/skills')
    expect((await readPage(`${long.registry}/skills?offset=100`)).text).toContain(
      'This page of the list is empty.',
    )
    expect((await readPage(`${long.registry}/skills?q=row&offset=50`)).links).toContain('/skills?q=row')
    expect((await readPage(`${long.registry}/skills?offset=-1`)).status).toBe(400)
    await long.stop()
  })
})

describe('/publishers/ID', () => {
  test('lists approved releases of the publisher under the current name', async () => {
    const token = await app.token({ subject: 'petra', name: 'Petra Before' })
    const id = await app.submit({ name: 'of-petra' }, token)
    await app.submit({ name: 'of-petra-pending' }, token)
    const link = async (): Promise<string> =>
      (await page('/skills/of-petra/1.0.0')).links.find((one) => one.startsWith('/publishers/')) ?? ''
    await app.decide(id, 'approved')
    const read = await page(await link())
    expect(read.status).toBe(200)
    expect(read.title).toBe('Petra Before – Skilldock')
    expect(listed(read)).toEqual(['/skills/of-petra/1.0.0'])
    await app.token({ subject: 'petra', name: 'Petra After' })
    expect((await page(await link())).title).toBe('Petra After – Skilldock')
  })

  test('is 404 for a publisher without approved releases, and 400 for an invalid id', async () => {
    const token = await app.token({ subject: 'unpublished' })
    await app.submit({ name: 'of-unpublished' }, token)
    expect((await page('/publishers/99999')).status).toBe(404)
    expect((await page('/publishers/none')).status).toBe(400)
  })
})
