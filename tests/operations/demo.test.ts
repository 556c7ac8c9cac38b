import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categories } from '../../src/shared/contracts/manifest.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  cleanUp,
  projectRoot,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Ended, Serving } from '../support/server/command-line.ts'
import { call } from '../support/server/publish.ts'
import { runSkill } from '../support/client/run-skill.ts'
import { until } from '../support/wait.ts'

let data: string
let made: Ended

beforeAll(async () => {
  data = join(temporaryFolder(), 'demo')
  // Hides all compilers, which the demo does not need.
  made = await skilldock(data, ['demo'], { PATH: temporaryFolder() })
})
afterAll(cleanUp)

test('reports what it created and the next step', () => {
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(made.stdout).toContain('33 releases of 12 skills (21 approved, 3 revoked, 4 rejected, 5 pending)')
  expect(made.stdout).toContain('6 blog posts and 6 showcase projects')
  expect(made.stdout).toContain('Marta Okafor, administrator')
  expect(made.stdout).toContain('skilldock serve')
  expect(made.stdout).toContain('skilldock desk --subject marta')
  expect(made.stdout).toContain('skilldock token --subject marta')
})

describe('a server on the demo folder', () => {
  let server: Serving
  let administrator: string
  let releases: RegistryVersion[]
  beforeAll(async () => {
    server = await serve(data)
    administrator = await tokenHere(data, '--subject', 'marta')
    const list = `${server.registry}/api/marketplace/review`
    releases = (await call<{ items: RegistryVersion[] }>(list, { token: administrator })).body.items
  })
  afterAll(() => server?.stop())

  test('shows releases in every status and category, with two to four versions each', () => {
    const counts = (by: (release: RegistryVersion) => string) =>
      Object.fromEntries([...Map.groupBy(releases, by)].map(([key, group]) => [key, group.length]))
    expect(counts(({ status }) => status)).toEqual({ pending: 5, approved: 21, rejected: 4, revoked: 3 })
    expect(Object.keys(counts(({ manifest }) => manifest.category)).toSorted()).toEqual(
      [...categories].toSorted(),
    )
    const versions = Object.values(counts(({ name }) => name))
    expect(versions).toHaveLength(12)
    for (const count of versions) expect([2, 3, 4]).toContain(count)
    expect(new Set(releases.map(({ sha256 }) => sha256)).size).toBe(releases.length)
    expect(Object.keys(counts(({ publisher }) => publisher)).toSorted()).toEqual([
      'Rita Alvarez',
      'Tomáš Novák',
    ])
  })

  test('shows them at plausible times, in the order of submission, with review notes for every decision', () => {
    const times = releases.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(times).size).toBe(times.length)
    const age = (time: string): number => (Date.now() - Date.parse(time)) / 86_400_000
    expect(age(times[0] ?? '')).toBeGreaterThan(0)
    expect(age(times[0] ?? '')).toBeLessThan(1)
    expect(age(times.at(-1) ?? '')).toBeGreaterThan(20)
    for (const { status, reviewReason } of releases) {
      expect((reviewReason ?? '').length > 40).toBe(status !== 'pending')
    }
  })

  test('renders texts on pages and in documents', async () => {
    const get = async (path: string): Promise<string> => (await fetch(server.registry + path)).text()
    const path = '/blog/a-registry-with-human-review'
    expect(await get(path)).toContain('<h2>What happens to a submission</h2>')
    expect(await get(`/docs-markdown${path}.md`)).toContain('\n## What happens to a submission\n')
  })

  test('has three people, one of them an administrator', async () => {
    const people = JSON.parse((await skilldockHere(data, ['people', 'list', '--json'])).stdout) as object[]
    expect(people).toMatchObject([
      { subject: 'marta', name: 'Marta Okafor', role: 'administrator' },
      { subject: 'rita', name: 'Rita Alvarez', role: 'developer' },
      { subject: 'tomas', name: 'Tomáš Novák', role: 'developer' },
    ])
  })

  test('offers every approved release, and all of their examples pass', async () => {
    const api = `${server.registry}/api/marketplace`
    for (const { name, version, sha256, status, manifest } of releases) {
      const path = status === 'approved' ? 'skills' : 'review'
      const reply = await fetch(`${api}/${path}/${name}/${version}/package`, {
        headers: status === 'approved' ? {} : { authorization: `Bearer ${administrator}` },
      })
      expect(reply.status).toBe(200)
      const bytes = new Uint8Array(await reply.arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      const runs = await Promise.all(manifest.examples.map(({ input }) => runSkill(bytes, input)))
      expect(runs).toEqual(
        manifest.examples.map(({ output }) => ({ exitCode: 0, stdout: output, stderr: '' })),
      )
    }
  })

  test('shows posts and projects in every state, with their images', async () => {
    const text = async (path: string): Promise<string> => (await fetch(server.registry + path)).text()
    const feed = await text('/api/blog/feed.xml')
    const posts = [...feed.matchAll(/<link href="[^"]*\/blog\/([^"]+)"\/>/g)].map(([, slug]) => slug ?? '')
    // There are two more: a scheduled post and a draft.
    expect(posts).toEqual([
      'revoking-0-9-0',
      'why-we-run-your-examples',
      'pipes-between-modules',
      'a-registry-with-human-review',
    ])
    const guide = await text('/llms.txt')
    const projects = [...guide.matchAll(/\/docs-markdown\/showcase\/(.+?)\.md/g)].map(
      ([, slug]) => slug ?? '',
    )
    expect(projects).toEqual(['garden-weather-station', 'receipts-without-a-server', 'village-library'])
    const documents = [
      ...posts.map((slug) => `/docs-markdown/blog/${slug}.md`),
      ...projects.map((slug) => `/docs-markdown/showcase/${slug}.md`),
    ]
    const pictures = new Set<string>()
    for (const path of documents) {
      const document = await text(path)
      expect(document).not.toMatch(/\bimage:|\bdemo:/)
      for (const [url] of document.matchAll(/http[^\s)"]*\/media\/[\w.]+/g)) pictures.add(url)
    }
    expect(pictures.size).toBe(5)
    for (const url of pictures) {
      const reply = await fetch(url)
      expect([reply.status, reply.headers.get('content-type')?.startsWith('image/')]).toEqual([200, true])
    }
  })

  test('everything in it is consistent', async () => {
    expect(await skilldockHere(data, ['verify'])).toMatchObject({ status: 0, stderr: '' })
  })

  test('the folder is refused while the server runs', async () => {
    const again = await skilldockHere(data, ['demo'])
    expect(again).toMatchObject({ status: 1, stdout: '' })
    expect(again.stderr).toContain('is not empty')
  })
})

describe('a folder that is not empty', () => {
  test('is refused and left unchanged', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const refused = await skilldockHere(folder, ['demo'])
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toBe(
      `${folder} is not empty (notes.txt), and skilldock demo never changes existing data. ` +
        'Set SKILLDOCK_DATA to an empty or new folder.\n',
    )
    expect(readdirSync(folder)).toEqual(['notes.txt'])
  })

  test('is refused if it already contains a demo', async () => {
    expect((await skilldockHere(data, ['demo'])).status).toBe(1)
    expect((await skilldockHere(data, ['verify'])).status).toBe(0)
  })
})

test('of two at once on one folder, one fills it and the other is refused', async () => {
  const folder = join(temporaryFolder(), 'two')
  const two = await Promise.all([skilldock(folder, ['demo']), skilldock(folder, ['demo'])])
  expect(two.filter(({ status }) => status === 0)).toHaveLength(1)
  expect(two.filter(({ status }) => status === 1)).toHaveLength(1)
  expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
})

test('a demo that is stopped leaves the folder unchanged', async () => {
  const stop = async (): Promise<{ folder: string; run: Ended }> => {
    const folder = join(temporaryFolder(), 'stopped')
    const { child, ended } = start(process.execPath, [join(projectRoot, 'out/main/cli.js'), 'demo'], {
      SKILLDOCK_DATA: folder,
    })
    await until('a package is there', () => existsSync(join(folder, 'packages')))
    child.kill('SIGTERM')
    const run = await ended
    // It finished before the signal.
    return run.status === 0 ? stop() : { folder, run }
  }
  const { folder, run } = await stop()
  expect(run).toMatchObject({ status: 1, stdout: '' })
  expect(existsSync(folder)).toBe(false)
})

test('accepts no arguments', async () => {
  const folder = join(temporaryFolder(), 'words')
  expect((await skilldockHere(folder, ['demo', 'now'])).status).toBe(2)
  expect(existsSync(folder)).toBe(false)
})
