import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { auditHash, makeAgentProject } from '../../../../tests/support/agents/agent-project.ts'
import { wrapConnection } from '../agents-database.ts'
import { millisecondsOf } from '../cell-values.ts'
import { readProject } from '../read-project.ts'
import { Mirror } from './mirror.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-copied-table-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A seeded generator of integers below a limit. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const time = (n: number): string =>
  new Date(Date.UTC(2026, 9, 1) + n * 700_000).toISOString().slice(0, 19).replace('T', ' ')

interface Project {
  owner: Sqlite.Database
  /** One slice of each table, up to the last `refresh`. True when done. */
  step(): boolean
  refresh(): void
  /** What a desk query does: copies new rows, without rechecking old rows of large tables. */
  sync(): Mirror
  /** Brings the mirror fully up to date, including every old row. */
  settle(): Mirror
  /** Simulates a restart of the reading process. */
  reopen(): void
  close(): void
}

function openProject(name: string): Project {
  const { file } = makeAgentProject(join(folder, name))
  const owner = new Sqlite(file)
  // Without the usual constraints, so that any cell may be null.
  owner.exec(`DROP TABLE audit_log; DROP TABLE cost_events;
    CREATE TABLE audit_log (id INTEGER PRIMARY KEY, timestamp, lamport, agent_name, event_type, detail, content_hash);
    CREATE TABLE cost_events (agent_name, amount_cents, model, tokens_in, tokens_out, created_at)`)
  const reader = new Sqlite(file, { readonly: true })
  const mirrorFile = join(folder, `${name}.db`)
  let mirror = new Mirror(mirrorFile, file, '1:1')
  let serial = 0
  const refresh = (): void => {
    serial += 1
  }
  const step = (): boolean => {
    const database = wrapConnection(reader, file)
    const done = Object.values(mirror.tables).map((table) => {
      const isSynced = table.sync(database, serial, performance.now())
      table.finish()
      return isSynced && (!table.isGrowing || table.check(database, serial, performance.now()))
    })
    return done.every(Boolean)
  }
  return {
    owner,
    refresh,
    step,
    sync() {
      refresh()
      const database = wrapConnection(reader, file)
      for (const table of Object.values(mirror.tables)) {
        while (!table.sync(database, serial, performance.now())) table.finish()
      }
      return mirror
    },
    settle() {
      refresh()
      while (!step());
      return mirror
    },
    reopen() {
      mirror.close()
      mirror = new Mirror(mirrorFile, file, '1:1')
    },
    close() {
      mirror.close()
      reader.close()
      owner.close()
    },
  }
}

const agents = ['reader', 'watch', null, 'Ünï']
const models = ['opus', 'haiku', null]
const prices = [0.1, 0.25, 3, null, 'free', 1e-7]

/** Adds, edits and deletes random rows. */
function change(owner: Sqlite.Database, random: (below: number) => number, maxId: number): void {
  const key = (): number => 1 + random(maxId)
  const agent = (): string | null => agents[random(agents.length)] ?? null
  for (let n = 0; n < 40; n += 1) {
    const id = key()
    const name = agent()
    const hash = auditHash(id, name, 'agent.step', `row ${n}`)
    owner
      .prepare('INSERT OR REPLACE INTO audit_log VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, time(random(900)), id, name, 'agent.step', `row ${n}`, random(9) === 0 ? 'wrong' : hash)
    owner
      .prepare(
        `INSERT OR REPLACE INTO cost_events (rowid, agent_name, amount_cents, model, tokens_in, tokens_out, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        key(),
        agent(),
        prices[random(prices.length)],
        models[random(models.length)],
        random(3) === 0 ? null : random(1000),
        'many',
        random(20) === 0 ? 'soon' : time(random(900)),
      )
  }
  const from = key()
  owner.prepare('DELETE FROM audit_log WHERE id BETWEEN ? AND ?').run(from, from + random(50))
  owner.prepare('DELETE FROM cost_events WHERE rowid BETWEEN ? AND ?').run(from, from + random(50))
  if (random(12) === 0) owner.exec('DELETE FROM audit_log WHERE id > 4000')
}

/** Audit rows with ids from 1. */
function fill({ owner }: Project, rows: number): void {
  const insert = owner.prepare("INSERT INTO audit_log VALUES (?, ?, ?, 'a', 'exit', NULL, ?)")
  owner.transaction(() => {
    for (let id = 1; id <= rows; id += 1) insert.run(id, time(id), id, auditHash(id, 'a', 'exit', null))
  })()
}

/** Sums over the owner's rows by name and time, computed the simple way. */
function naiveSums(owner: Sqlite.Database, by: 'agent' | 'model', ms: number): Map<string, number[]> {
  const sums = new Map<string, number[]>()
  const rows = owner.prepare('SELECT * FROM cost_events').all() as Record<string, unknown>[]
  for (const row of rows) {
    const at = millisecondsOf(row['created_at'])
    if (at === null) continue
    const cents = typeof row['amount_cents'] === 'number' ? row['amount_cents'] : null
    const name = by === 'agent' ? row['agent_name'] : row['model']
    const key = JSON.stringify([Math.floor(at / ms), name])
    const [calls = 0, unpriced = 0, sum = 0, tokens = 0] = sums.get(key) ?? []
    const more = Number(row['tokens_in'] ?? 0)
    sums.set(key, [calls + 1, unpriced + Number(cents === null), sum + (cents ?? 0), tokens + more])
  }
  return sums
}

function storedSums(mirror: Mirror, by: 'agent' | 'model'): Map<string, number[]> {
  const ms = by === 'agent' ? 86_400_000 : 3_600_000
  return new Map(
    mirror
      .all<{
        time: number
        name: string
        calls: number
        unpriced: number
        cents: number
        tokens: number | null
      }>(`SELECT start / ${ms} AS time, name, calls, unpriced, cents, tokensIn AS tokens FROM spend_by_${by}`)
      .map(({ time: start, name, calls, unpriced, cents, tokens }) => [
        JSON.stringify([start, JSON.parse(name)]),
        [calls, unpriced, cents, tokens ?? 0],
      ]),
  )
}

function expectSums(project: Project, mirror: Mirror, by: 'agent' | 'model', ms: number): void {
  const sums = storedSums(mirror, by)
  const naive = naiveSums(project.owner, by, ms)
  expect([...sums.keys()].toSorted()).toEqual([...naive.keys()].toSorted())
  for (const [key, [calls, unpriced, cents = 0, tokens]] of naive) {
    const [ownCalls, ownUnpriced, ownCents = 0, ownTokens] = sums.get(key) ?? []
    expect([key, ownCalls, ownUnpriced, ownTokens]).toEqual([key, calls, unpriced, tokens])
    expect(ownCents).toBeCloseTo(cents, 6)
  }
}

function expectAudit(project: Project, mirror: Mirror): void {
  const rows = project.owner
    .prepare('SELECT id, agent_name AS agent, content_hash = ? AS wrong FROM audit_log ORDER BY id')
    .all('wrong') as { id: number; agent: string | null; wrong: number }[]
  expect(mirror.all('SELECT key, agent, mismatch, gap FROM audit ORDER BY key')).toEqual(
    rows.map(({ id, agent, wrong }, index) => ({
      key: id,
      agent,
      mismatch: wrong,
      gap: index === 0 ? 0 : id - (rows[index - 1]?.id ?? 0) - 1,
    })),
  )
  expect(mirror.tables.audit.rows).toBe(rows.length)
  const counts = Map.groupBy(rows, ({ agent }) => agent)
  for (const [agent, own] of counts) {
    const last = mirror.value('SELECT key FROM last_events WHERE agent = ?', agent)
    expect(last).toBe(agent === null ? null : own.at(-1)?.id)
  }
  expect(mirror.all("SELECT name, rows FROM audit_names WHERE facet = 'agent' ORDER BY name")).toEqual(
    [...counts]
      .flatMap(([name, { length }]) => (name === null ? [] : [{ name, rows: length }]))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  )
}

test.each([1, 2])(
  'after any edits the mirror matches the project, with its hashes, gaps, names and sums (seed %i)',
  (seed) => {
    const project = openProject(`random-${seed}`)
    const random = randomFrom(seed)
    for (let round = 0; round < 12; round += 1) {
      change(project.owner, random, 5000)
      // From the second round on, more rows than one block are copied while the owner keeps writing.
      if (round === 1) {
        project.owner.transaction(() => {
          for (let n = 0; n < 150; n += 1) change(project.owner, random, 12_000)
        })()
      }
      for (let n = random(4); n > 0; n -= 1) {
        project.refresh()
        project.step()
        change(project.owner, random, 12_000)
        if (random(3) === 0) project.reopen()
      }
      const mirror = project.settle()
      expectAudit(project, mirror)
      expectSums(project, mirror, 'agent', 86_400_000)
      expectSums(project, mirror, 'model', 3_600_000)
    }
    project.close()
  },
)

test('the next answer includes any number of new rows and excludes deleted newest ones', () => {
  const project = openProject('newest')
  expect(project.sync().tables.audit.isComplete).toBe(true)
  fill(project, 20_000)
  expect(project.sync().tables.audit.rows).toBe(20_000)
  project.owner.exec('DELETE FROM audit_log WHERE id > 15000')
  expect(project.sync().tables.audit.rows).toBe(15_000)
  project.owner.exec(
    "DELETE FROM audit_log WHERE id > 9000; UPDATE audit_log SET agent_name = 'b' WHERE id = 8999",
  )
  const { rows } = project.sync().tables.audit
  expect(rows).toBe(9000)
  expect(project.sync().value('SELECT mismatch FROM audit WHERE key = 8999')).toBe(1)
  project.close()
})

test('rows are removed in blocks when nearly all are deleted or the table is dropped', () => {
  const project = openProject('deleted')
  fill(project, 20_000)
  const { tables } = project.settle()
  expect(tables.audit.rows).toBe(20_000)
  const longest = (): number => {
    let max = 0
    project.refresh()
    for (let isDone = false; !isDone;) {
      const before = tables.audit.rows
      isDone = project.step()
      max = Math.max(max, before - tables.audit.rows)
    }
    return max
  }
  project.owner.exec('DELETE FROM audit_log WHERE id BETWEEN 10 AND 19900')
  // Each step compares one block of the newest rows and one of all rows.
  expect(longest()).toBeLessThanOrEqual(4 * 2048)
  expectAudit(project, project.settle())
  project.owner.exec('DROP TABLE audit_log')
  project.settle()
  expect(tables.audit).toMatchObject({ exists: false, isComplete: true, rows: 0 })
  project.close()
})

test('a mirror is reused, but rebuilt for another file or when it is damaged', () => {
  const project = openProject('kept')
  change(project.owner, randomFrom(7), 50)
  const { rows } = project.settle().tables.audit
  expect(rows).toBeGreaterThan(0)
  project.close()
  const mirrorFile = join(folder, 'kept.db')
  const file = join(folder, 'kept', 'data', 'nexus.db')
  const open = (inode: string): { rows: number; isComplete: boolean } => {
    const mirror = new Mirror(mirrorFile, file, inode)
    const { rows: copied, isComplete } = mirror.tables.audit
    mirror.close()
    return { rows: copied, isComplete }
  }
  expect(open('1:1')).toEqual({ rows, isComplete: true })
  expect(open('1:2')).toEqual({ rows: 0, isComplete: false })
  const damaged = new Sqlite(mirrorFile)
  damaged.pragma('user_version = 999')
  damaged.close()
  expect(open('1:2')).toEqual({ rows: 0, isComplete: false })
})

test('a damaged table that returns a row id twice is reported as damaged, not copied', () => {
  const { file } = makeAgentProject(join(folder, 'repeated'), {
    journal: 'delete',
    fill: (database) => {
      const insert = database.prepare(
        "INSERT INTO broker_routes (task, handler, handler_type, created_at) VALUES (?, '', '', '2026-01-01')",
      )
      for (let id = 1; id <= 9; id += 1) insert.run(`task-${id}`)
    },
  })
  const isRead = () =>
    readProject(file, (database) => {
      const mirror = new Mirror(null, file, '1:1')
      try {
        const { routes } = mirror.tables
        while (!routes.sync(database, 1, performance.now() + 1000)) routes.finish()
        return routes.rows
      } finally {
        mirror.close()
      }
    })
  expect(isRead()).toMatchObject({ state: 'ready', value: 9 })

  // A cell of a table's leaf page is its length, its row id and its columns.
  const bytes = readFileSync(file)
  const cellOf = (id: number): number => {
    const task = bytes.indexOf(`task-${id}`)
    return bytes.lastIndexOf(Buffer.from([id]), task)
  }
  bytes[cellOf(5)] = 4
  writeFileSync(file, bytes)
  expect(isRead()).toMatchObject({
    state: 'unreadable',
    reason: 'corrupt',
    detail: 'SQLITE_CORRUPT: broker_routes: row ids are repeated or out of order',
  })
})
