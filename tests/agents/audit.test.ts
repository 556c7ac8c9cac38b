import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditPage, AuditRow } from '../../src/shared/contracts/desk-agents-audit.ts'
import { auditHash, makeAgentProject, removeDatabase, withProject } from '../support/agents/agent-project.ts'
import { startDeskAgents, storedTime, writeAudit } from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'

let app: DeskAgents
beforeAll(async () => {
  app = await startDeskAgents()
})
afterAll(() => app.stop())
beforeEach(() => removeDatabase(app.project))

const ids = (page: Pick<AuditPage, 'items'>): number[] => page.items.map(({ id }) => id)
const list = (query = ''): Promise<AuditPage> => app.read<AuditPage>(`/audit?${query}`)
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from > to ? from - index : from + index))

const thousand = (): void =>
  void makeAgentProject(app.project.folder, {
    fill: (database) => {
      for (let id = 1; id <= 1000; id += 1) {
        writeAudit(database, {
          agent: id % 2 === 0 ? 'even' : 'odd',
          event: id % 10 === 0 ? 'tool.call' : 'agent.step',
          detail: `Schritt ${id} für ${id % 100 === 0 ? 'HÜLLE' : 'nichts'}, 100 % done_${id}`,
          at: new Date(Date.UTC(2026, 9, 1) + id * 1000).toISOString(),
        })
      }
    },
  })

describe('pages of the audit', () => {
  test('have 200 rows, start with the newest and continue after a given row', async () => {
    thousand()
    const first = await list()
    expect(ids(first)).toEqual(range(1000, 801))
    expect(first).toMatchObject({ older: 801, newer: null, total: 1000, above: 0 })
    expect(ids(await list('before=801'))).toEqual(range(800, 601))
    const last = await list('before=201')
    expect(ids(last)).toEqual(range(200, 1))
    expect(last).toMatchObject({ older: null, newer: 200, above: 800 })
  })

  test('can continue toward newer rows or surround a row', async () => {
    thousand()
    const newer = await list('after=500')
    expect(ids(newer)).toEqual(range(700, 501))
    expect(newer).toMatchObject({ newer: 700, older: 501, above: 300 })
    expect(await list('after=900')).toMatchObject({ newer: null })
    const around = await list('around=500')
    expect(ids(around)).toEqual(range(600, 401))
    expect(ids(await list('around=1000'))).toEqual(range(1000, 901))
  })

  test('contain and count only rows that match the filter', async () => {
    thousand()
    const page = await list('agent=even&event=tool.call')
    expect(page).toMatchObject({ total: 100, older: null })
    expect(ids(page)).toEqual(
      range(1, 100)
        .map((n) => n * 10)
        .toReversed(),
    )
    expect(await list('agent=nobody')).toMatchObject({ items: [], total: 0, older: null })
    const hour = await list('from=2026-10-01T00:01:40.000Z&to=2026-10-01T00:03:20.000Z')
    expect(hour).toMatchObject({ total: 100 })
    expect(ids(hour)).toEqual(range(199, 100))
    expect(await list('agent=even&around=501')).toMatchObject({ total: 500, above: 150 })
  })

  test('keep their offsets while rows are added, relative to the row given as `top`', async () => {
    thousand()
    expect(await list()).toMatchObject({ top: 1000, fresh: 0 })
    withProject(app.project, (database) => {
      for (let id = 1001; id <= 1014; id += 1) writeAudit(database, { id, agent: 'odd' })
    })
    await app.readUntil<AuditPage>('the new rows are read', '/audit', ({ total }) => total === 1014)
    const first = await list('top=1000')
    expect(ids(first)).toEqual(range(1000, 801))
    expect(first).toMatchObject({ top: 1000, total: 1000, above: 0, fresh: 14 })
    const middle = await list('top=1000&offset=400')
    expect(ids(middle)).toEqual(range(600, 401))
    expect(middle).toMatchObject({ above: 400, total: 1000 })
    expect(ids(await list('top=1000&offset=900'))).toEqual(range(100, 1))
    expect(ids(await list('top=1000&offset=1000'))).toEqual([])
    const odd = await list('agent=odd&top=1000&offset=400')
    expect(ids(odd)).toEqual(range(1, 100).map((n) => 201 - 2 * n))
    expect(odd).toMatchObject({ total: 500, above: 400, fresh: 14 })
    expect(ids(await list('top=1000&around=1010'))).toEqual(range(1000, 901))
    expect(await list('top=1000&after=950')).toMatchObject({ newer: null })
    expect(ids(await list('top=1000&after=950'))).toEqual(range(1000, 951))
  })

  test('can be searched in detail, agent and event, case-insensitively and without wildcards', async () => {
    thousand()
    expect(ids(await list('q=hülle'))).toEqual(
      range(1, 10)
        .map((n) => n * 100)
        .toReversed(),
    )
    expect(ids(await list(`q=${encodeURIComponent('100 % DONE_77,'.slice(0, -1))}`))).toContain(77)
    expect(ids(await list('q=%25%25'))).toEqual([])
    expect(await list('q=tool.call&agent=even')).toMatchObject({ total: null })
    expect(ids(await list('q=tool.call&agent=odd'))).toEqual([])
    const first = await list('q=EVEN')
    expect(ids(first)).toHaveLength(200)
    expect(ids(await list(`q=EVEN&before=${first.older}`))[0]).toBe((ids(first).at(-1) ?? 0) - 2)
  })

  test('list the values to filter by', async () => {
    thousand()
    expect(await app.read('/audit/facets')).toMatchObject({
      agents: [
        { name: 'even', rows: 500 },
        { name: 'odd', rows: 500 },
      ],
      events: [
        { name: 'agent.step', rows: 900 },
        { name: 'tool.call', rows: 100 },
      ],
    })
  })
})

describe('mismatches and gaps', () => {
  test('a row whose hash does not match is shown with both hashes and counted', async () => {
    makeAgentProject(app.project.folder, {
      fill: (database) => {
        writeAudit(database, { detail: 'one' })
        writeAudit(database, { detail: 'two', hash: 'f'.repeat(64) })
        writeAudit(database, { detail: null })
      },
    })
    const page = await list()
    expect(page.summary).toMatchObject({ total: 3, today: 3, checked: 3, mismatches: 1, missing: 0, gaps: 0 })
    const [third, second] = page.items as [AuditRow, AuditRow]
    expect(third).toMatchObject({ verified: true, computed: null, mismatch: null })
    expect(second).toMatchObject({
      verified: false,
      hash: 'f'.repeat(64),
      computed: auditHash(2, 'alpha', 'agent.step', 'two'),
      mismatch: { seen: false },
    })
  })

  test('missing ids are a gap before the newer row, with the times on both sides', async () => {
    const [older, newer] = ['2026-10-01T09:55:30Z', '2026-10-01T10:37:51Z']
    makeAgentProject(app.project.folder, {
      fill: (database) => {
        writeAudit(database, { id: 5, at: older })
        writeAudit(database, { id: 12, at: newer })
        database.exec('UPDATE audit_log SET lamport = 6 WHERE id = 12')
        writeAudit(database, { id: 13 })
      },
    })
    const page = await list()
    expect(page.items.map(({ gap }) => gap)).toEqual([
      null,
      { from: 6, to: 11, rows: 6, after: older, before: newer, lamportContinues: true },
      null,
    ])
    expect(page.summary).toMatchObject({ missing: 6, gaps: 1, firstId: 5, lastId: 13, mismatches: 1 })
    expect(ids(await list('trouble=true'))).toEqual([12])
    expect(ids(await list('trouble=false'))).toEqual([13, 12, 5])
  })

  test('a row shows its gap even if the filter hides the row before it', async () => {
    makeAgentProject(app.project.folder, {
      fill: (database) => {
        writeAudit(database, { id: 1, agent: 'a' })
        writeAudit(database, { id: 3, agent: 'b' })
        writeAudit(database, { id: 4, agent: 'a' })
      },
    })
    expect((await list('agent=b')).items[0]?.gap).toMatchObject({ from: 2, to: 2 })
    expect((await list('agent=a')).items.map(({ gap }) => gap)).toEqual([null, null])
  })

  test('the next read sees edited, added and deleted rows', async () => {
    thousand()
    expect((await list()).summary).toMatchObject({ total: 1000, mismatches: 0 })
    withProject(app.project, (database) => {
      database.exec("UPDATE audit_log SET detail = 'another' WHERE id = 3")
      database.exec('DELETE FROM audit_log WHERE id BETWEEN 500 AND 509')
      writeAudit(database, { id: 1002 })
    })
    const page = await app.readUntil<AuditPage>(
      'the changes are read',
      '/audit',
      ({ summary }) => summary.total === 991,
    )
    expect(page.summary).toMatchObject({ total: 991, mismatches: 1, missing: 11, gaps: 2 })
    expect(ids(await list('trouble=true'))).toEqual([1002, 510, 3])
  })
})

describe('unusual data', () => {
  test('null and invalid values are unknown, but hashed as stored', async () => {
    makeAgentProject(app.project.folder)
    withProject(app.project, (database) => {
      database.exec(`
        DROP TABLE audit_log;
        CREATE TABLE audit_log (id INTEGER PRIMARY KEY, timestamp, lamport, agent_name, event_type, detail, content_hash, more);
      `)
      const insert = database.prepare('INSERT INTO audit_log VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      insert.run(1, 'soon', '17', null, null, null, auditHash(17, null, null, null), 'x')
      insert.run(2, null, null, 'a', 'e', null, null, null)
    })
    expect((await list()).items).toMatchObject([
      { id: 2, at: null, lamport: null, hash: null, verified: false },
      { id: 1, at: null, lamport: 17, agent: null, event: null, verified: true },
    ])
    expect((await list('from=2020-01-01T00:00:00.000Z')).items).toEqual([])
  })

  test('a table without an id column is read by rowid, regardless of the case of its name', async () => {
    makeAgentProject(app.project.folder)
    withProject(app.project, (database) => {
      database.exec('DROP TABLE audit_log; CREATE TABLE Audit_Log (agent_name, event_type)')
      for (let n = 0; n < 3; n += 1) database.exec("INSERT INTO audit_log VALUES ('a', 'e')")
    })
    expect(ids(await list())).toEqual([3, 2, 1])
  })

  test('a missing table gives an empty page that names it', async () => {
    makeAgentProject(app.project.folder)
    withProject(app.project, (database) => database.exec('DROP TABLE audit_log'))
    expect(await list()).toMatchObject({
      items: [],
      total: 0,
      stamp: { state: 'ready', missingTables: ['audit_log'] },
    })
  })
})

test('today starts at midnight UTC', async () => {
  makeAgentProject(app.project.folder, {
    fill: (database) => {
      writeAudit(database, { at: '2020-01-01 00:00:00' })
      writeAudit(database, { at: storedTime() })
    },
  })
  expect((await list()).summary).toMatchObject({ total: 2, today: 1 })
})
