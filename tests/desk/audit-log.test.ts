import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { createAuditLog } from '../../src/server/domains/log/audit-log.service.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import { decideAtDesk, deskClient, getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { seedReleases } from '../support/server/seed-releases.ts'

interface Page {
  items: AuditEntry[]
  total: number
}

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
  // 900 releases: 900 submissions, one per minute from 2026-01-01, and 900 decisions by rita, the second person.
  await seedReleases(app, 900, 2)
})
afterAll(() => app.stop())

const list = async (query = ''): Promise<Page> => {
  const reply = await rita.get<Page>(`/history?${query}`)
  expect(reply.status).toBe(200)
  return reply.body
}
const everything = async (query = ''): Promise<AuditEntry[]> => {
  const items: AuditEntry[] = []
  for (;;) {
    const page = await list(`${query}&offset=${items.length}`)
    items.push(...page.items)
    if (items.length >= page.total || page.items.length === 0) return items
  }
}
const text = async (path: string): Promise<string> => (await rita.open(path)).text()
const parseLines = (lines: string): AuditEntry[] =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditEntry)

describe('the audit log', () => {
  test('lists every event of every release, newest first, 100 per page', async () => {
    const id = await app.submit(
      { ...goodManifest, name: 'whole', license: 'mit' },
      app.developer,
      await quietModule(1),
    )
    const fingerprint = (await getDeskRelease(rita, id)).checks?.findings[0]?.fingerprint
    const reason = 'It is MIT, written small.'
    const judged = await rita.send<{ id: number }>('POST', `/releases/${id}/judgements`, {
      fingerprint,
      reason,
    })
    await rita.send('DELETE', `/judgements/${judged.body.id}`)
    await decideAtDesk(rita, id, 'approved', { reason: 'I read all of it.' })
    await app.decide(id, 'revoked')
    const { items, total } = await list('kind=releases')
    expect(items).toHaveLength(100)
    expect(total).toBe(900 + 900 + 5)
    const about = { releaseId: id, name: 'whole', version: '1.0.0', at: expect.any(String) }
    const parts = items
      .slice(0, 5)
      .map(({ channel, address, changes, count, lastAt, entry, id: _id, ...rest }) => {
        expect({ changes, count, lastAt, entry }).toEqual({
          changes: [],
          count: 1,
          lastAt: null,
          entry: expect.any(Number),
        })
        expect(address).toBe('127.0.0.1')
        expect(channel).toBe(rest.kind === 'submitted' || rest.kind === 'revoked' ? 'api' : 'desk')
        return rest
      })
    const byRita = { ...about, personId: 2, person: 'rita', check: null }
    expect(parts).toEqual([
      {
        ...byRita,
        kind: 'revoked',
        why: 'It was revoked with good reason.',
        evidence: false,
        selfApproved: false,
      },
      { ...byRita, kind: 'approved', why: 'I read all of it.', evidence: true, selfApproved: false },
      {
        ...byRita,
        kind: 'withdrawn',
        why: reason,
        check: 'license-unknown',
        evidence: null,
        selfApproved: false,
      },
      {
        ...byRita,
        kind: 'judged',
        why: reason,
        check: 'license-unknown',
        evidence: null,
        selfApproved: false,
      },
      {
        ...about,
        personId: 1,
        person: 'Alice',
        kind: 'submitted',
        why: null,
        check: null,
        evidence: null,
        selfApproved: false,
      },
    ])
    expect((await getDeskRelease(rita, id)).events).toEqual(
      parts.map(
        ({ personId: _person, releaseId: _release, name: _name, version: _version, ...event }) => event,
      ),
    )
  })

  test('is in chronological order across pages, with each event once', async () => {
    const all = await everything()
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect((await list(`offset=${all.length}`)).items).toEqual([])
  })

  test.each<[string, (entry: AuditEntry) => boolean]>([
    ['kind=rejected', ({ kind }) => kind === 'rejected'],
    ['kind=judged', ({ kind }) => kind === 'judged'],
    ['kind=releases', ({ releaseId }) => releaseId !== null],
    ['kind=people', ({ kind }) => kind.startsWith('person.')],
    ['kind=sign-ins&person=2', ({ kind, personId }) => kind.startsWith('session.') && personId === 2],
    ['about=skill-echo-0', ({ name }) => name === 'skill-echo-0'],
    [
      'about=skill-echo-0&kind=releases&person=2',
      ({ name, personId }) => name === 'skill-echo-0' && personId === 2,
    ],
    ['person=2', ({ personId }) => personId === 2],
    ['person=2&kind=revoked', ({ personId, kind }) => personId === 2 && kind === 'revoked'],
    ['from=2026-11-21', ({ at }) => at >= '2026-11-21'],
    ['to=2026-01-01', ({ at }) => at < '2026-01-02'],
    [
      'from=2026-01-01&to=2026-01-01&kind=approved',
      ({ at, kind }) => at < '2026-01-02' && kind === 'approved',
    ],
    ['q=skill-echo', ({ name }) => name.includes('skill-echo')],
    ['q=ZO%C3%8B', ({ person, changes }) => person === 'Zoë' || changes.some(({ to }) => to === 'Zoë')],
    ['q=WRITTEN%20small', ({ why }) => why?.includes('written small') ?? false],
    ['q=echo&kind=approved', ({ name, kind }) => name.includes('echo') && kind === 'approved'],
    ['q=%20', () => true],
    ['q=%25', () => false],
    ['person=99', () => false],
  ])('is filtered by %s, in the list and in both exports', async (query, isIn) => {
    const expected = (await everything()).filter(isIn)
    expect(await everything(query)).toEqual(expected)
    expect((await list(query)).total).toBe(expected.length)
    expect(parseLines(await text(`/history.ndjson?${query}`))).toEqual(expected)
    const lines = (await text(`/history.csv?${query}`)).split('\r\n')
    expect(lines).toHaveLength(expected.length + 2)
    expect(lines.slice(1, 3)).toEqual(
      [...expected, null]
        .slice(0, 2)
        .map((entry) => (entry === null ? '' : expect.stringContaining(entry.name))),
    )
  })

  test('paginates search results', async () => {
    const all = (await everything()).filter(({ name }) => name.includes('csv'))
    const late = await list('q=csv&offset=150')
    expect(late.items).toEqual(all.slice(150, 250))
    expect(late.total).toBe(all.length)
  })

  test.each(['kind=x', 'person=x', 'from=yesterday', 'to=2026-13-01', `q=${'x'.repeat(101)}`, 'offset=x'])(
    'rejects %s',
    async (query) => {
      expect((await rita.get(`/history?${query}`)).status).toBe(400)
      if (query === 'offset=x') return
      expect((await rita.get(`/history.csv?${query}`)).status).toBe(400)
      expect((await rita.get(`/history.ndjson?${query}`)).status).toBe(400)
    },
  )

  test('requires an administrator', async () => {
    const alice = await signIn(app, 'alice')
    for (const path of ['/history', '/history.csv', '/history.ndjson']) {
      expect((await alice.get(path)).status).toBe(403)
      expect((await deskClient(app).get(path)).status).toBe(401)
    }
  })

  test('replaces the list of decisions', async () => {
    expect((await rita.get('/decisions')).status).toBe(404)
  })
})

describe('an export', () => {
  test.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['ndjson', 'application/x-ndjson; charset=utf-8'],
  ])('is a download: %s', async (ending, type) => {
    const response = await rita.open(`/history.${ending}?from=2026-01-01&to=2026-01-02`)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="skilldock-history-2026-01-01-to-2026-01-02.${ending}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    await response.text()
    const head = await fetch(`${app.dashboard}/desk/api/history.${ending}`, {
      method: 'HEAD',
      headers: { authorization: rita.authorization },
    })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
  })

  test('cannot run formulas in a spreadsheet', async () => {
    const id = await app.submit({ ...goodManifest, name: 'formula' }, app.developer, await quietModule(2))
    await decideAtDesk(rita, id, 'rejected', { reason: '=HYPERLINK("http://x.example","click")' })
    expect(await text('/history.csv?q=formula&kind=rejected')).toContain(
      `,formula,1.0.0,,"'=HYPERLINK(""http://x.example"",""click"")",given,2,${id},,desk,127.0.0.1,`,
    )
  })

  test('is streamed without buffering, and other requests are handled between two chunks', async () => {
    const database = openDatabase(dataPaths(app.folder).database)
    try {
      const auditLog = createAuditLog(database)
      const { chunks } = auditLog.exportAuditLog('csv', {})
      const turns = { others: 0, isOver: false }
      const count = async (): Promise<void> => {
        while (!turns.isOver) {
          turns.others += 1
          await setImmediate()
        }
      }
      const counting = count()
      const sizes: number[] = []
      for await (const piece of chunks) sizes.push(piece.split('\r\n').length - 1)
      turns.isOver = true
      await counting
      expect(Math.max(...sizes)).toBe(500)
      expect(sizes.length).toBeGreaterThanOrEqual(5)
      expect(turns.others).toBeGreaterThanOrEqual(3)
    } finally {
      database.close()
    }
  })

  test('contains the state from when it started', async () => {
    const database = openDatabase(dataPaths(app.folder).database)
    try {
      const auditLog = createAuditLog(database)
      const chunks = auditLog.exportAuditLog('ndjson', {}).chunks[Symbol.asyncIterator]()
      const before = (await list()).total
      let whole = String((await chunks.next()).value)
      await app.submit({ ...goodManifest, name: 'meanwhile' }, app.developer, await quietModule(3))
      for (;;) {
        const { value, done } = await chunks.next()
        if (done === true) break
        whole += value
      }
      expect(parseLines(whole)).toHaveLength(before)
    } finally {
      database.close()
    }
  })
})
