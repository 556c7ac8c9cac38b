import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../src/shared/contracts/releases.ts'
import { longestTurnBelow } from '../support/cpu-time.ts'
import { signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { seedManyReleases } from '../support/server/seed-many-releases.ts'

interface Page<Item> {
  items: Item[]
  total: number
}

interface Row {
  id: number
  name: string
  sha256: string
  status: ReleaseStatus
  decision: number | null
  publisher: string
  /** The publisher in lowercase. */
  shown: string
}

const releases = 40_000
/** In milliseconds of CPU time. */
const longestTurn = 20
let app: TestRegistry
let rita: DeskClient
let rows: Row[]
let history: { id: number; at: string; kind: string; releaseId: number; name: string }[]
beforeAll(async () => {
  app = await startTestRegistry({ checkReplies: false })
  rita = await signIn(app, 'rita')
  seedManyReleases(app, releases, 2)
  await withDatabase(app, async ({ reader }) => {
    rows = reader
      .prepare<[], Omit<Row, 'shown'>>(
        `SELECT r.id, r.name, r.sha256, r.status, r.last_decision AS decision,
           coalesce(p.name, 'Developer ' || p.id) AS publisher
         FROM releases r JOIN people p ON p.id = r.owner_id`,
      )
      .all()
      .map((row) => ({ ...row, shown: row.publisher.toLowerCase() }))
    history = reader
      .prepare<[], (typeof history)[number]>(
        `SELECT h.id, h.at, h.kind, h.release_id AS releaseId, r.name
         FROM history h JOIN releases r ON r.id = h.release_id`,
      )
      .all()
  })
}, 600_000)
afterAll(() => app.stop())

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const orders: Record<string, (a: Row, b: Row) => number> = {
  waiting: (a, b) => a.id - b.id,
  newest: (a, b) => b.id - a.id,
  name: (a, b) => text(a.name, b.name) || b.id - a.id,
  decided: (a, b) => (b.decision ?? 0) - (a.decision ?? 0),
}

const views = [
  ['all', '', ['waiting', 'newest', 'name']],
  ['pending', '', ['waiting', 'newest', 'name']],
  ['all', 'approved', ['waiting', 'newest', 'name']],
  ['decided', '', ['decided', 'name']],
  ['decided', 'approved', ['decided', 'name']],
] as const
const searches = ['', 'e', 'ZOË 19', 'csv-0123', 'nothing-like-it', 'ab']

/** Counts as a change of the lists, so that the server searches them again. */
const forgetLists = (): Promise<void> =>
  withDatabase(app, ({ writer, transact }) =>
    transact(() => void writer.exec("UPDATE desk_topics SET n = n + 1 WHERE topic = 'history'")),
  )

/** The requested page, and the longest time for which the request blocked the server. */
async function read<Item>(path: string): Promise<{ page: Page<Item>; turn: number }> {
  let page: Page<Item> = { items: [], total: -1 }
  const turn = await longestTurnBelow(longestTurn, async (attempt) => {
    if (attempt > 0) await forgetLists()
    const reply = await rita.get<Page<Item>>(path)
    expect([path, reply.status]).toEqual([path, 200])
    page = reply.body
  })
  return { page, turn }
}

/** Past the middle, at the end, beyond it, and back at the start. */
const depthsOf = (total: number): number[] => [Math.ceil(total * 0.7), Math.max(0, total - 3), total + 5, 0]

describe.each(views)(`the queue of ${releases} releases: view "%s", status "%s"`, (view, status, sorts) => {
  const isIn = (row: Row): boolean =>
    (status === '' || row.status === status) &&
    (view === 'all' || (view === 'pending') === (row.status === 'pending'))

  test.each(sorts)(
    'returns every page in the order "%s" without blocking the server',
    async (order) => {
      const sorted = rows.filter(isIn).toSorted(orders[order])
      for (const q of searches) {
        const term = q.toLowerCase()
        const found = sorted.filter(
          ({ name, shown, sha256 }) => name.includes(term) || shown.includes(term) || sha256.startsWith(term),
        )
        for (const offset of depthsOf(found.length)) {
          const query = new URLSearchParams({
            view,
            ...(status === '' ? {} : { status }),
            ...(order === 'decided' ? {} : { sort: order }),
            q,
            offset: String(offset),
          }).toString()
          const { page, turn } = await read<QueueRow>(`/releases?${query}`)
          expect([query, page.total]).toEqual([query, found.length])
          expect([query, page.items.map(({ id }) => id)]).toEqual([
            query,
            found.slice(offset, offset + 100).map(({ id }) => id),
          ])
          expect(turn, query).toBeLessThan(longestTurn)
        }
      }
    },
    120_000,
  )
})

describe(`the audit log of ${releases} releases`, () => {
  test.each([
    ['kind=releases', () => true],
    ['kind=approved', ({ kind }) => kind === 'approved'],
    ['person=2&kind=releases', ({ kind }) => kind !== 'submitted'],
    ['person=2&kind=rejected', ({ kind }) => kind === 'rejected'],
    ['from=2020-02-01&to=2020-03-10', ({ at }) => at >= '2020-02-01' && at < '2020-03-11'],
    ['q=csv&kind=releases', ({ name }) => name.includes('csv')],
    ['q=many&kind=submitted', ({ name, kind }) => name.includes('many') && kind === 'submitted'],
  ] satisfies [string, (entry: (typeof history)[number]) => boolean][])(
    'returns every page of "%s" without blocking the server',
    async (query, isIn) => {
      const found = history.filter(isIn).toSorted((a, b) => text(b.at, a.at) || b.id - a.id)
      for (const offset of depthsOf(found.length)) {
        const { page, turn } = await read<AuditEntry>(`/history?${query}&offset=${offset}`)
        expect(page.total).toBe(found.length)
        expect(page.items.map(({ releaseId, kind }) => `${kind} ${releaseId}`)).toEqual(
          found.slice(offset, offset + 100).map(({ releaseId, kind }) => `${kind} ${releaseId}`),
        )
        expect(turn, query).toBeLessThan(longestTurn)
      }
    },
    120_000,
  )
})

test('a list that was read before includes later submissions, decisions and renames', async () => {
  const idsOf = async (query: string): Promise<number[]> => {
    const { page } = await read<QueueRow>(`/releases?${query}`)
    return page.items.map(({ id }) => id)
  }
  const queries = [
    'view=all&sort=name&q=aaa-late',
    'view=pending&sort=newest&q=aaa-late',
    'view=all&q=alicia',
  ]
  expect(await Promise.all(queries.map(idsOf))).toEqual([[], [], []])
  const id = await app.submit({ name: 'aaa-late' })
  expect(await Promise.all(queries.map(idsOf))).toEqual([[id], [id], []])
  await withDatabase(app, ({ writer, transact }) =>
    transact(() => void writer.exec("UPDATE people SET name = 'Alicia' WHERE name = 'Alice'")),
  )
  expect(await Promise.all(queries.map(idsOf))).toEqual([[id], [id], [id]])
  const before = await read('/history')
  await app.decide(id, 'approved')
  expect(await Promise.all(queries.map(idsOf))).toEqual([[id], [], [id]])
  expect((await read('/history')).page.total).toBe(before.page.total + 1)
}, 120_000)
