import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailyDeprecations } from '../../src/shared/contracts/release-states.ts'
import type { Deprecation, ReleaseState } from '../../src/shared/contracts/release-states.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let carol: string
beforeAll(async () => {
  app = await startTestRegistry()
  carol = await app.token({ subject: 'carol', name: 'Carol' })
  await app.release({ name: 'old-tool', version: '1.0.0' }, 'approved')
  await app.release({ name: 'old-tool', version: '1.1.0' }, 'approved')
  await app.release({ name: 'old-tool', version: '1.2.0' })
  await app.release({ name: 'new-tool', version: '2.0.0' }, 'approved')
})
afterAll(() => app.stop())

const reason = 'It does not handle quoted fields.'
const url = (release: string, end = 'deprecation'): string =>
  `${app.registry}/api/skilldock/skills/${release.replace('@', '/')}/${end}`
const deprecate = (release: string, body: object, token = app.developer) =>
  refusal(url(release), { method: 'POST', body, token })
const withdraw = (release: string, token = app.developer) =>
  refusal(url(release), { method: 'DELETE', token })
const deprecationOf = async (release: string): Promise<Deprecation | null> =>
  (await call<ReleaseState>(url(release, 'state'))).body.deprecation

describe('deprecating a release', () => {
  test('an owner gives a reason and a successor, replaces them, and withdraws the deprecation', async () => {
    expect(await deprecate('old-tool@1.0.0', { reason, successor: 'new-tool' })).toMatchObject({
      status: 200,
    })
    expect(await deprecationOf('old-tool@1.0.0')).toEqual({
      reason,
      successor: 'new-tool',
      deprecatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    await deprecate('old-tool@1.0.0', { reason: `  ${reason} Really.  ` })
    expect(await deprecationOf('old-tool@1.0.0')).toMatchObject({
      reason: `${reason} Really.`,
      successor: null,
    })
    expect(await deprecationOf('old-tool@1.1.0')).toBe(null)
    expect(await withdraw('old-tool@1.0.0')).toMatchObject({ status: 200 })
    expect(await deprecationOf('old-tool@1.0.0')).toBe(null)
    expect(await withdraw('old-tool@1.0.0')).toMatchObject({ status: 409 })
  })

  test('an administrator may deprecate the release of anyone, other people 403', async () => {
    expect(await deprecate('old-tool@1.1.0', { reason }, carol)).toMatchObject({
      status: 403,
      code: 'NOT_OWNER',
    })
    expect(await deprecate('old-tool@1.1.0', { reason }, app.administrator)).toMatchObject({ status: 200 })
    expect(await withdraw('old-tool@1.1.0', carol)).toMatchObject({ status: 403 })
    expect(await withdraw('old-tool@1.1.0', app.administrator)).toMatchObject({ status: 200 })
  })

  test('needs a token, which is not one that can only publish', async () => {
    const publishing = await app.token({ subject: 'alice', scope: 'publish' })
    const answers = [
      await refusal(url('old-tool@1.0.0'), { method: 'POST', body: { reason } }),
      await deprecate('old-tool@1.0.0', { reason }, publishing),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 403])
    expect(await deprecationOf('old-tool@1.0.0')).toBe(null)
  })

  test('an unknown release is 404, and one that is not approved 409', async () => {
    expect(await deprecate('old-tool@9.9.9', { reason })).toMatchObject({ status: 404 })
    expect(await deprecate('no-tool@1.0.0', { reason })).toMatchObject({ status: 404 })
    expect(await deprecate('old-tool@1.2.0', { reason })).toMatchObject({
      status: 409,
      code: 'INVALID_TRANSITION',
    })
    expect(await deprecate('old-tool@1.2.0', { reason }, carol)).toMatchObject({ status: 404 })
  })

  test.each([
    ['a name without an approved release', 'no-tool'],
    ['a pending release', 'old-tool@1.2.0'],
    ['the release itself', 'old-tool@1.0.0'],
    ['what is not a name', 'Old Tool'],
    ['what has two versions', 'new-tool@2.0.0@2.0.0'],
  ])('the successor can not be %s', async (_what, successor) => {
    expect(await deprecate('old-tool@1.0.0', { reason, successor })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      paths: ['successor'],
    })
  })

  test('the reason has 10 to 500 characters', async () => {
    for (const wrong of ['', 'too short', 'x'.repeat(501), ' '.repeat(20)]) {
      expect(await deprecate('old-tool@1.0.0', { reason: wrong })).toMatchObject({
        status: 400,
        paths: ['reason'],
      })
    }
  })

  test('are limited in number for each person and day, whatever became of them', async () => {
    const dora = await app.token({ subject: 'dora' })
    await app.decide(await app.submit({ name: 'limited-tool' }, dora), 'approved')
    const again = (at: number, token = dora) =>
      deprecate('limited-tool@1.0.0', { reason: `${reason} ${at}` }, token)
    for (let at = 1; at < dailyDeprecations; at += 1) {
      expect((await again(at)).status).toBe(200)
    }
    expect((await withdraw('limited-tool@1.0.0', dora)).status).toBe(200)
    expect((await again(1)).status).toBe(200)
    const body = { reason: `${reason} 2` }
    const refused = await call(url('limited-tool@1.0.0'), { method: 'POST', body, token: dora })
    expect(refused).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    // What changes nothing is no deprecation, and others have limits of their own.
    expect((await again(1)).status).toBe(200)
    expect((await again(2, app.administrator)).status).toBe(200)
    expect((await withdraw('limited-tool@1.0.0', dora)).status).toBe(200)
  })

  test('a successor that is revoked later is no longer recommended', async () => {
    const id = await app.release({ name: 'next-tool', version: '1.0.0' }, 'approved')
    await deprecate('old-tool@1.0.0', { reason, successor: 'next-tool@1.0.0' })
    expect(await deprecationOf('old-tool@1.0.0')).toMatchObject({ successor: 'next-tool@1.0.0' })
    await app.decide(id, 'revoked')
    expect(await deprecationOf('old-tool@1.0.0')).toMatchObject({ reason, successor: null })
  })
})

test('a deprecated release is still listed and downloadable, and its specified responses stay the same', async () => {
  const release = `${app.api}/skills/new-tool/2.0.0`
  const paths = [
    `${app.api}/skills`,
    `${app.api}/skills/new-tool`,
    release,
    `${release}/manifest`,
    `${release}/package`,
  ]
  const read = () => Promise.all(paths.map(async (path) => (await fetch(path)).bytes()))
  const before = await read()
  await deprecate('new-tool@2.0.0', { reason })
  expect(await deprecationOf('new-tool@2.0.0')).not.toBe(null)
  expect(await read()).toEqual(before)
})

test('pages and documents say that a release is deprecated and link to its successor, until it is withdrawn', async () => {
  await app.release({ name: 'shown-tool' }, 'approved')
  const pages = async () => {
    const [page, list, document, catalog] = await Promise.all(
      [
        '/skills/shown-tool/1.0.0',
        '/skills',
        '/docs-markdown/marketplace/shown-tool/1.0.0.md',
        '/docs-markdown/site/marketplace.md',
      ].map(async (path) => (await fetch(`${app.registry}${path}`)).text()),
    )
    const inList = /shown-tool<\/a>.*?<\/p>/s.exec(list ?? '')?.[0]
    return { page, inList, document, inCatalog: /^.*shown-tool.*$/m.exec(catalog ?? '')?.[0] }
  }
  const before = await pages()
  expect(JSON.stringify(before)).not.toMatch(/deprecated/i)
  await deprecate('shown-tool@1.0.0', { reason: 'It is *slow* & <old>.', successor: 'new-tool' })
  const { page, inList, document, inCatalog } = await pages()
  expect(page).toContain('<strong>Deprecated:</strong> It is *slow* &amp; &lt;old&gt;.')
  expect(page).toMatch(/Use <a href="[^"]*\/skills\/new-tool">new-tool<\/a> instead\./)
  expect(inList).toContain('>deprecated<')
  expect(document).toContain('\n> Deprecated: It is \\*slow\\* & \\<old>. Use new-tool instead.\n')
  expect(inCatalog).toContain('by Alice, deprecated)')
  await deprecate('shown-tool@1.0.0', { reason, successor: 'new-tool@2.0.0' })
  expect((await pages()).page).toContain('/skills/new-tool/2.0.0">new-tool@2.0.0</a> instead.')
  await withdraw('shown-tool@1.0.0')
  expect(await pages()).toEqual(before)
})

test('the transparency log has the deprecation and its withdrawal, without the reason', async () => {
  await app.release({ name: 'logged-tool' }, 'approved')
  await deprecate('logged-tool@1.0.0', { reason, successor: 'new-tool' })
  await withdraw('logged-tool@1.0.0')
  const log = `${app.registry}/api/skilldock/log`
  const size = (await (await fetch(`${log}/checkpoint`)).text()).split('\n')[1]
  const { body } = await call<{ entries: string[] }>(`${log}/entries?start=0&end=${size}`)
  const entries = body.entries.map((entry) => Buffer.from(entry, 'base64').toString())
  const events = entries.filter((entry) => entry.includes('"logged-tool"'))
  const text = expect.any(String) as string
  const about = { name: 'logged-tool', version: '1.0.0', sha256: text, at: text, detailsSha256: text }
  expect(events.map((event) => JSON.parse(event) as object)).toEqual([
    { type: 'release.approved', ...about },
    { type: 'release.deprecated', ...about, successor: 'new-tool' },
    { type: 'deprecation.withdrawn', ...about },
  ])
  expect(entries.join('\n')).not.toMatch('quoted fields')
})
