import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogRepository } from '../../src/server/domains/releases/catalog/catalog.repository.ts'
import { gramQuery } from '../../src/server/domains/releases/releases.rules.ts'
import { seed } from '../bench/seed.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import type { List } from '../support/server/registry.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

const releases = 6000
const names = 1500
let app: TestServer
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-deep-'))
  seed(folder, releases, names)
  app = await startTestServer({ folder, checkReplies: false })
}, 180_000)
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const all = async (): Promise<List['items']> => {
  const items: List['items'] = []
  for (let offset = 0; offset < releases; offset += 50) {
    const response = await fetch(`${app.registry}/api/marketplace/skills?offset=${offset}`)
    items.push(...((await response.json()) as List).items)
  }
  return items
}
const keyOf = ({ name, version }: { name: string; version: string }): string => `${name} ${version}`

test('pages at any depth follow a change of the catalog at once', async () => {
  const setNewest = (status: string): Promise<unknown> =>
    withDatabase(app, (database) =>
      database.transact(() =>
        database.writer.prepare('UPDATE releases SET status = ? WHERE id = ?').run(status, releases),
      ),
    )
  const before = await all()
  await setNewest('revoked')
  const after = await all()
  await setNewest('approved')
  expect(after.map(keyOf)).toEqual(before.slice(1).map(keyOf))
  expect((await all()).map(keyOf)).toEqual(before.map(keyOf))
})

test('every page of a search matches a naive implementation, at any depth and in any order', async () => {
  const items = await all()
  expect(items).toHaveLength(releases)
  const textOf = ({ manifest, publisher }: List['items'][number]): string[] =>
    [manifest.name, manifest.description, manifest.category, publisher].map((text) => text.toLowerCase())
  for (const q of [
    'e',
    'in',
    'invoice',
    'json after',
    'NUMBER 1',
    'number 12',
    'one invoice after',
    'invoice ledger',
    'zq',
    '-neat-',
    'seeded',
  ]) {
    const found = items.filter((item) => textOf(item).some((text) => text.includes(q.toLowerCase())))
    const offsets = [0, found.length - 1, found.length, 100_000, Math.floor(found.length / 2), 50]
    for (const offset of offsets.filter((one) => one >= 0)) {
      const query = new URLSearchParams({ q, offset: String(offset) }).toString()
      const response = await fetch(`${app.registry}/api/marketplace/skills?${query}`)
      const page = (await response.json()) as List
      expect([q, offset, page.items.map(keyOf)]).toEqual([
        q,
        offset,
        found.slice(offset, offset + 50).map(keyOf),
      ])
    }
  }
})

test('only a search for what few releases contain uses the index beyond its first step', () =>
  withDatabase(app, async ({ reader }) => {
    const hasRest = (term: string): boolean => {
      const step = catalogRepository(reader).searchStep(gramQuery(term), term)
      return step(Number.MAX_SAFE_INTEGER, 100).rest !== undefined
    }
    expect(['e', 'number', 'invoice', 'invoice-hash'].map(hasRest)).toEqual([true, true, false, false])
  }))

const paths = [
  ['a search', '/api/marketplace/skills?q=QUERY&offset=100000'],
  ['a search on the public pages', '/skills?q=QUERY&offset=100000'],
] as const

describe.each(paths)('%s far past its end', (_, path) => {
  let searches = 0
  /** A search that is not cached and matches nearly everything. */
  const newSearch = (): string => {
    searches += 1
    return path.replace('QUERY', 'see'.slice(0, 1 + (searches % 3)) + (searches > 3 ? 'd' : ''))
  }
  const open = async (address?: string): Promise<RawClient> => connectRaw(app.registry, address)

  test('does not block a later request', async () => {
    const [deep, other] = [await open(), await open()]
    const order: string[] = []
    const answered = async (client: RawClient, name: string): Promise<number> => {
      const { status } = await client.answer()
      order.push(name)
      return status
    }
    await deep.send(requestHead('GET', `${app.registry}${newSearch()}`))
    await other.send(requestHead('GET', `${app.registry}/api/health`))
    expect(await Promise.all([answered(deep, 'deep'), answered(other, 'health')])).toEqual([200, 200])
    expect(order).toEqual(['health', 'deep'])
    for (const client of [deep, other]) client.destroy()
  })
})

test('long searches of one client do not block those of others', async () => {
  const search = (q: string): string => `${app.registry}/api/marketplace/skills?q=${q}&offset=90000`
  const queries = ['c', 'a', 'n', 'o', 'r', 't', 'p', 'd']
  const clients = await Promise.all(queries.map(() => connectRaw(app.registry, '127.0.0.2')))
  const other = await connectRaw(app.registry, '127.0.0.3')
  for (const [index, client] of clients.entries()) {
    void client.send(requestHead('GET', search(queries[index] ?? '')))
  }
  void other.send(requestHead('GET', search('i')))
  const answers = await Promise.all(clients.map((client) => client.answer()))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
  expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe('2')
  expect((await other.answer()).status).toBe(200)
  for (const client of [...clients, other]) client.destroy()
})
