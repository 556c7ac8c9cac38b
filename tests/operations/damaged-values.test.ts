import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { listColumns, listTables } from '../../src/server/db/stored-schema.ts'
import { approvedProject, insertImage, publishPost, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'

/** Replaces every stored value that public pages, documents and lists read with invalid values. */
let app: TestContent
let database: Sqlite.Database
let image: string
let id: number

beforeAll(async () => {
  app = await startTestContent({ checkReplies: false })
  image = await insertImage(app, 'damaged')
  id = await app.release({ name: 'known' }, 'approved')
  await app.release({ name: 'known', version: '1.1.0' }, 'approved')
  await app.submit({ name: 'waits' })
  await publishPost(app.desk, {
    slug: 'known',
    tags: ['news'],
    cover: { sha256: image, alt: 'A cover' },
    markdown: `![Within](image:${image})`,
  })
  await approvedProject(app, { title: 'Known', pictures: [{ sha256: image, alt: 'A screen' }] })
  const paths = dataPaths(app.folder)
  database = new Sqlite(paths.database)
  database.pragma('foreign_keys = OFF')
  database.pragma('ignore_check_constraints = ON')
  database.pragma('wal_checkpoint(TRUNCATE)')
  copyFileSync(paths.database, join(app.folder, 'before.db'))
  database.prepare('ATTACH ? AS before').run(join(app.folder, 'before.db'))
  addEvidence()
})
afterAll(async () => {
  database.close()
  await app.stop()
})

function addEvidence(): void {
  const evidence = JSON.stringify({ growthSeen: [], openFindings: [], observation: null })
  for (const schema of ['main', 'before']) {
    database.prepare(`INSERT INTO ${schema}.decision_evidence SELECT id, ? FROM decisions`).run(evidence)
  }
}

const publicAddresses = (): string[] => [
  '/',
  '/skills',
  '/skills?q=known',
  '/skills?category=Data',
  '/skills/known',
  '/skills/known/1.0.0',
  '/skills/known/1.1.0',
  '/publishers/1',
  '/blog',
  '/blog?tag=news',
  '/blog/known',
  '/showcase',
  '/showcase/known',
  '/showcase/submit',
  '/llms.txt',
  '/robots.txt',
  '/docs-markdown/site/marketplace.md',
  '/docs-markdown/marketplace/known/1.0.0.md',
  '/docs-markdown/blog/known.md',
  '/docs-markdown/showcase/known.md',
  '/api/blog/feed.xml',
  '/api/sitemap.xml',
  '/api/health',
  '/api/marketplace/skills',
  '/api/marketplace/skills?q=known',
  '/api/marketplace/skills/known',
  '/api/marketplace/skills/known/1.0.0',
  '/api/marketplace/skills/known/1.0.0/manifest',
  '/api/marketplace/skills/known/1.0.0/package',
  '/api/skilldock/skills/known/1.0.0/review',
]

/** Below /desk/api. */
const deskAddresses = (): string[] => [
  '/releases?view=all',
  `/releases/${id}`,
  '/posts',
  '/posts/1',
  '/posts/1/versions',
  '/projects',
  '/projects/1',
  '/images',
  '/history',
  '/people',
]

const invalidValues = ['nonsense', '', '{}', '[1]', '2026-99-99T00:00:00.000Z', 'xxxxx\nxpng']

const away = new Set([
  // Not read without a token or session, nor by any page.
  'tokens',
  'desk_sessions',
  'sign_in_codes',
  'agent_projects',
  'agent_alerts',
  'desk_topics',
])

const quoted = (name: string): string => `"${name}"`

function columns(): { table: string; name: string; type: string; key: string[] }[] {
  return listTables(database)
    .filter((table) => !away.has(table))
    .flatMap((table) => {
      const all = listColumns(database, table)
      const key = all.filter(({ pk }) => pk > 0).map(({ name }) => name)
      return all
        .filter(({ name, type }) => (type === 'TEXT' || type === 'BLOB') && !key.includes(name))
        .map(({ name, type }) => ({ table, name, type, key }))
    })
}

/** Invalidates cached pages. */
const bump = 'UPDATE catalog_generation SET n = n + 1; UPDATE desk_topics SET n = n + 1'

/** Requests an address of the registry or a path of the desk. */
type Open = () => Promise<Response>

const addresses = (): Map<string, Open> =>
  new Map<string, Open>([
    ...publicAddresses().map((address): [string, Open] => [
      address,
      () => fetch(app.registry + address, { headers: { accept: 'text/html' }, redirect: 'manual' }),
    ]),
    ...deskAddresses().map((path): [string, Open] => [`desk ${path}`, () => app.desk.open(path)]),
  ])

/** The response of each address, and what is wrong with it. */
async function walk(opened: Map<string, Open>): Promise<{ answers: Map<string, string>; failed: string[] }> {
  const answers = new Map<string, string>()
  const failed: string[] = []
  for (const [address, open] of opened) {
    const response = await open()
    const text = await response.text()
    answers.set(address, `${response.status} ${text}`)
    if (response.status === 500) failed.push(`${address}: 500`)
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    if (isJson && !isParsable(text)) failed.push(`${address}: is not JSON`)
  }
  return { answers, failed }
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('without invalid values every address responds', { timeout: 60_000 }, async () => {
  for (const [address, open] of addresses()) {
    const { status } = await open()
    expect([address, address.startsWith('desk') ? status === 200 : status < 400]).toEqual([address, true])
  }
})

describe('no public address and no view of the desk responds with 500, and every list is readable', () => {
  test('with any invalid value in any one column', { timeout: 300_000 }, async () => {
    const [first = '', ...others] = invalidValues
    const failed: string[] = []
    const all = addresses()
    const { answers: original } = await walk(all)
    for (const { table, name, type, key } of columns()) {
      const set = database.prepare(`UPDATE OR IGNORE ${quoted(table)} SET ${quoted(name)} = ?`)
      const walkWith = async (value: string, opened: Map<string, Open>): Promise<Map<string, string>> => {
        set.run(type === 'BLOB' ? Buffer.from(value) : value)
        database.exec(bump)
        const walked = await walk(opened)
        failed.push(
          ...walked.failed.map((problem) => `${table}.${name} = ${JSON.stringify(value)} ${problem}`),
        )
        return walked.answers
      }
      const answers = await walkWith(first, all)
      // Only addresses with a different response read the column; only these are requested with the other values.
      const readers = new Map([...all].filter(([address]) => answers.get(address) !== original.get(address)))
      for (const value of others) await walkWith(value, readers)
      const same = key.map((one) => `b.${quoted(one)} = ${quoted(table)}.${quoted(one)}`).join(' AND ')
      database.exec(
        `UPDATE ${quoted(table)} SET ${quoted(name)} = (SELECT ${quoted(name)} FROM before.${quoted(table)} b WHERE ${same})`,
      )
    }
    database.exec(bump)
    expect(failed).toEqual([])
  })
})
