import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cannedReasonRepository } from '../../src/server/domains/releases/decisions/canned-reasons.repository.ts'
import { personAccessRepository } from '../../src/server/domains/identity/person-access.repository.ts'
import { deskEventsRepository } from '../../src/server/domains/operations/desk-events.repository.ts'
import { auditLogRepository } from '../../src/server/domains/log/audit-log.repository.ts'
import { releaseHistoryRepository } from '../../src/server/domains/releases/history/release-history.repository.ts'
import { accessRetentionRepository } from '../../src/server/domains/identity/access-retention.repository.ts'
import { managePeopleRepository } from '../../src/server/domains/identity/manage-people.repository.ts'
import { reviewQueueRepository } from '../../src/server/domains/releases/queue/review-queue.repository.ts'
import { queueFilter, queueOrder } from '../../src/server/domains/releases/queue/review-queue.rules.ts'
import { releaseDetailsRepository } from '../../src/server/domains/releases/queue/release-details.repository.ts'
import { sessionRepository } from '../../src/server/domains/identity/sessions.repository.ts'
import { downloadRepository } from '../../src/server/domains/releases/catalog/downloads.repository.ts'
import { evidenceRepository } from '../../src/server/domains/releases/decisions/evidence.repository.ts'
import { heldDecisionRepository } from '../../src/server/domains/releases/decisions/held-decisions.repository.ts'
import { checksRepository } from '../../src/server/domains/releases/checks/checks.repository.ts'
import { judgementRepository } from '../../src/server/domains/releases/checks/judgements.repository.ts'
import { ownReleaseRepository } from '../../src/server/domains/releases/catalog/own-releases.repository.ts'
import { kindsOfGroup } from '../../src/shared/audit-kinds.texts.ts'
import { queueSorts, queueViews } from '../../src/shared/contracts/desk-review.ts'
import type { QueueRow, StatusCounts } from '../../src/shared/contracts/desk-review.ts'
import { releaseStatuses } from '../../src/shared/contracts/releases.ts'
import { deskClient, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { seedReleases } from '../support/server/seed-releases.ts'
import type { SeededRelease } from '../support/server/seed-releases.ts'
import { planOf } from '../support/server/query-plans.ts'

interface Page {
  items: QueueRow[]
  total: number
  counts: StatusCounts
}

let app: TestRegistry
let rita: DeskClient
let seeded: SeededRelease[]
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
  // Rita is the second person of the registry.
  seeded = await seedReleases(app, 1000, 2)
})
afterAll(() => app.stop())

const page = async (query: string): Promise<Page> => {
  const reply = await rita.get<Page>(`/releases?${query}`)
  expect(reply.status).toBe(200)
  return reply.body
}
const idsOf = ({ items }: Page): number[] => items.map(({ id }) => id)
const expectedIds = (keep: (release: SeededRelease) => boolean): number[] =>
  seeded.filter(keep).map(({ id }) => id)

describe('the queue', () => {
  test('lists pending releases first, oldest first, 100 per page, with all counts', async () => {
    const first = await page('')
    const pending = expectedIds(({ status }) => status === 'pending')
    expect(idsOf(first)).toEqual(pending.slice(0, 100))
    expect(first.total).toBe(200)
    expect(first.counts).toEqual({ pending: 200, approved: 400, rejected: 200, revoked: 200 })
    expect(idsOf(await page('offset=100'))).toEqual(pending.slice(100))
    expect(idsOf(await page('offset=200'))).toEqual([])
    expect(idsOf(await page('offset=199'))).toEqual(pending.slice(199))
  })

  test.each([
    ['pending', ['pending']],
    ['decided', ['approved', 'rejected', 'revoked']],
    ['all', ['pending', 'approved', 'rejected', 'revoked']],
  ])('the view "%s" contains %j', async (view, statuses) => {
    const { items, total } = await page(`view=${view}&sort=newest`)
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(statuses))
    expect(total).toBe(seeded.filter(({ status }) => statuses.includes(status)).length)
  })

  test.each(['pending', 'approved', 'rejected', 'revoked'])(
    'is filtered by the status %s',
    async (status) => {
      const ids = expectedIds((release) => release.status === status)
      expect(await page(`view=all&status=${status}`)).toMatchObject({ total: ids.length })
      expect(idsOf(await page(`view=all&status=${status}`))).toEqual(ids.slice(0, 100))
      expect(idsOf(await page(`view=all&status=${status}&sort=newest`))).toEqual(
        ids.toReversed().slice(0, 100),
      )
      const decided = await page(`view=decided&status=${status}`)
      expect(decided.total).toBe(status === 'pending' ? 0 : ids.length)
      // The seed decides the newest submission first, so the oldest one has the last decision.
      expect(idsOf(decided)).toEqual(status === 'pending' ? [] : ids.slice(0, 100))
      expect((await page(`view=pending&status=${status}`)).total).toBe(status === 'pending' ? 200 : 0)
    },
  )

  test('sorts decided releases by decision, newest first', async () => {
    const { items } = await page('view=decided')
    expect(items.map(({ id }) => id)).toEqual(expectedIds(({ status }) => status !== 'pending').slice(0, 100))
    const times = items.map(({ decidedAt }) => decidedAt ?? '')
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(items.map(({ decidedBy }) => decidedBy))).toEqual(new Set(['rita']))
  })

  test('can be sorted by submission and by name', async () => {
    const all = expectedIds(() => true)
    expect(idsOf(await page('view=all&sort=waiting'))).toEqual(all.slice(0, 100))
    expect(idsOf(await page('view=all&sort=newest&offset=900'))).toEqual(all.slice(0, 100).toReversed())
    const byName = await page('view=all&sort=name')
    const names = seeded
      .toSorted((a, b) => (a.name === b.name ? b.id - a.id : a.name < b.name ? -1 : 1))
      .map(({ id }) => id)
    expect(idsOf(byName)).toEqual(names.slice(0, 100))
    const decided = await page('view=decided&sort=name')
    const isDecided = new Set(expectedIds(({ status }) => status !== 'pending'))
    expect(idsOf(decided)).toEqual(names.filter((id) => isDecided.has(id)).slice(0, 100))
  })

  test('has what a reviewer needs in each row', async () => {
    const { items } = await page('')
    const one = seeded[0]
    expect(items[0]).toEqual({
      id: one?.id,
      name: one?.name,
      version: '1.0.0',
      status: 'pending',
      publisher: one?.owner,
      createdAt: '2026-01-01T00:00:00.000Z',
      first: true,
      decidedAt: null,
      decidedBy: null,
      selfApproved: false,
      checks: null,
      held: null,
      firstApprovedBy: null,
      thread: null,
    })
  })

  test('marks a skill without an approved release', async () => {
    const marks = async (name: string): Promise<Record<string, boolean>> => {
      const { items } = await page(`view=all&q=${name}`)
      return Object.fromEntries(items.map(({ version, first }) => [version, first]))
    }
    await app.release({ name: 'marked', version: '1.0.0' }, 'rejected')
    await app.release({ name: 'marked', version: '1.1.0' }, 'approved', 'revoked')
    await app.submit({ name: 'marked', version: '1.2.0' })
    expect(await marks('marked')).toEqual({ '1.0.0': true, '1.1.0': true, '1.2.0': false })
  })
})

describe('the search', () => {
  const found = (q: string): Promise<Page> => page(`view=all&sort=waiting&q=${encodeURIComponent(q)}`)

  test.each(['echo', 'ECHO', 'skill-echo-1', '-csv-', ' json '])('finds "%s" in names', async (q) => {
    const ids = expectedIds(({ name }) => name.includes(q.trim().toLowerCase()))
    const reply = await found(q)
    expect(idsOf(reply)).toEqual(ids.slice(0, 100))
    expect(reply.total).toBe(ids.length)
  })

  test.each(['ölander', 'ÖLANDER', 'çelik', 'Zoë'])(
    'finds "%s" in publishers, in any letter case',
    async (q) => {
      const ids = expectedIds(({ owner }) => owner.toLowerCase().includes(q.toLowerCase()))
      expect(ids).toHaveLength(250)
      const reply = await found(q)
      expect(reply.total).toBe(250)
      expect(idsOf(reply)).toEqual(ids.slice(0, 100))
    },
  )

  test('finds a digest by its start only', async () => {
    const { sha256, id } = seeded[123] ?? { sha256: '', id: 0 }
    expect(idsOf(await found(sha256))).toEqual([id])
    expect(idsOf(await found(sha256.slice(0, 16).toUpperCase()))).toEqual([id])
    expect((await found(sha256.slice(1, 17))).total).toBe(0)
    const short = sha256.slice(0, 2)
    expect((await found(short)).total).toBe(
      expectedIds((release) => release.sha256.startsWith(short) || release.name.includes(short)).length,
    )
  })

  test.each(['%', '_', "'", '"', '\\', 'nothing-like-it', 'g'.repeat(100)])(
    'searches for "%s" literally',
    async (q) => {
      expect((await found(q)).total).toBe(0)
    },
  )

  test('can be filtered and sorted, and does not change the counts', async () => {
    const pending = await page('q=echo')
    expect(idsOf(pending)).toEqual(
      expectedIds(({ name, status }) => name.includes('echo') && status === 'pending').slice(0, 100),
    )
    expect(pending.total).toBe(50)
    expect(pending.counts.approved).toBe(400)
    const newest = await page('q=echo&view=decided&status=approved&sort=newest&offset=1')
    expect(idsOf(newest)).toEqual(
      expectedIds(({ name, status }) => name.includes('echo') && status === 'approved').slice(1, 101),
    )
  })

  test('is ignored if it is blank', async () => {
    expect((await found('  ')).total).toBe(1003)
  })
})

describe('the queue rejects', () => {
  test.each(['view=x', 'status=x', 'sort=x', 'offset=-1', 'offset=x', `q=${'x'.repeat(101)}`])(
    '%s',
    async (query) => {
      expect(await rita.get(`/releases?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      })
    },
  )

  test('a developer and requests without a session', async () => {
    const alice = await signIn(app, 'alice')
    expect(await alice.get('/releases')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await deskClient(app).get('/releases')).status).toBe(401)
  })
})

test('every query of the desk uses an index, whatever the filter and the order', async () => {
  await withDatabase(app, async ({ writer }) => {
    const repositories = [
      sessionRepository,
      deskEventsRepository,
      releaseDetailsRepository,
      personAccessRepository,
      managePeopleRepository,
      ownReleaseRepository,
      checksRepository,
      judgementRepository,
      heldDecisionRepository,
      evidenceRepository,
      downloadRepository,
      cannedReasonRepository,
      releaseHistoryRepository,
      accessRetentionRepository,
      auditLogRepository,
      reviewQueueRepository,
    ]
    const statements = new Set(repositories.flatMap((one) => one.texts(writer)))
    // The others depend on the filter and the order.
    const recording = new Proxy(writer, {
      get(target, key) {
        if (key !== 'prepare') return Reflect.get(target, key) as unknown
        return (sql: string) => {
          statements.add(sql)
          return target.prepare(sql)
        }
      },
    })
    const history = auditLogRepository(recording)
    for (const kinds of [
      undefined,
      ['submitted'],
      kindsOfGroup('people'),
      kindsOfGroup('releases'),
    ] as const) {
      for (const person of [undefined, 1]) {
        for (const about of [undefined, 'upper-case']) {
          const filter = { kinds, person, about, from: '', to: '9' }
          history.listIds(filter, { at: '9', id: 9 }, 9)
          history.listAfter(filter, { at: '9', id: 9 }, 9)
        }
      }
    }
    const queue = reviewQueueRepository(recording)
    for (const view of queueViews) {
      for (const status of [undefined, ...releaseStatuses]) {
        const filter = queueFilter(view, status)
        if (filter === null) continue
        for (const sort of queueSorts) {
          const order = queueOrder(view, sort)
          queue.listIds(filter, order, 9, 9)
        }
        if (filter !== 'decided') queue.listCandidates(filter, 9, 9)
      }
    }
    expect(statements.size).toBeGreaterThan(70)
    const walks: string[] = []
    for (const sql of statements) {
      if (sql.startsWith('PRAGMA')) continue
      const plan = planOf(writer, sql)
      for (const detail of plan) {
        // These tables are small: names, people, one person's sessions and tokens, findings, held decisions,
        // templates and the two topics.
        const isSmall =
          /^SCAN (skill_names|people|p|h|canned_reasons|desk_topics|json_each|page|found|near|open|\(subquery-\d+\))(?= |$)/.test(
            detail,
          )
        // Read in index order until the page is full.
        const isPage = /^SCAN [rd]$/.test(detail) && /ORDER BY [rd]\.id (ASC|DESC) LIMIT/.test(sql)
        const isWhole = detail.startsWith('SCAN ') && !isSmall && !isPage && !/ INDEX /.test(detail)
        if (isWhole) walks.push(`${detail}: ${sql}`)
      }
      // The rows of a page are sorted again; apart from that, only small tables are sorted.
      const sorts = plan.filter((detail) => detail.includes('TEMP B-TREE FOR ORDER BY')).length
      const isFew =
        / found |FROM people p|FROM held_decisions h|UNION ALL(?! SELECT id, at FROM history)/.test(sql)
      if (!isFew && sorts > (sql.includes(' page ') ? 1 : 0)) walks.push(`${sorts} sorts: ${sql}`)
    }
    expect(walks).toEqual([])
  })
})
