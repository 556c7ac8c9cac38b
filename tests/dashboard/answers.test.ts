import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditHash, makeAgentProject, removeDatabase, withProject } from '../support/agents/agent-project.ts'
import { dashboardPaths, startTestDashboard } from '../support/agents/dashboard.ts'
import type { TestDashboard } from '../support/agents/dashboard.ts'

let app: TestDashboard
beforeAll(async () => {
  app = await startTestDashboard()
})
afterAll(() => app.stop())
beforeEach(() => removeDatabase(app.project))

type Rows = Record<string, unknown>[]
const rowsOf = async (path: string, key: string): Promise<Rows> => (await app.get(path)).body[key] as Rows

/** Creates a project from these statements only. */
const createProject = (...statements: string[]): void => {
  withProject(app.project, (database) => database.exec(statements.join(';')))
}

const emptyBodies = {
  '/api/agents': { agents: [] },
  '/api/supervisors': { supervisors: [] },
  '/api/cost': { budgets: [] },
  '/api/audit': { entries: [] },
  '/api/trust': { records: [] },
  '/api/broker': {
    stats: {
      total_routes: 0,
      skill_routes: 0,
      wasm_routes: 0,
      llm_routes: 0,
      total_cost_cents: 0,
      avg_latency_ms: null,
    },
    skills: [],
    recent: [],
  },
  '/api/edge': { deployments: [] },
}

test('a project without a database gives empty lists', async () => {
  for (const path of dashboardPaths) expect((await app.get(path)).body, path).toEqual(emptyBodies[path])
})

test('a database without tables gives empty lists', async () => {
  createProject('CREATE TABLE something_else (id)')
  for (const path of dashboardPaths) {
    expect(await app.get(path), path).toMatchObject({ status: 200, body: emptyBodies[path] })
  }
})

test('an empty file is a database without tables', async () => {
  createProject()
  for (const path of dashboardPaths) expect((await app.get(path)).body, path).toEqual(emptyBodies[path])
})

test('views are not queried, because they would run SQL from the project', async () => {
  createProject(`CREATE VIEW agents AS
    WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n AS name FROM endless`)
  expect((await app.get('/api/agents')).body).toEqual({ agents: [] })
})

test('agents are sorted by name, with times in ISO 8601', async () => {
  makeAgentProject(app.project.folder, {
    fill: (database) => {
      const insert = database.prepare('INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      insert.run(
        '2',
        'beta',
        null,
        'b.wasm',
        'crashed',
        null,
        '2026-11-01T10:00:00+02:00',
        '2026-11-01T10:00:00.250Z',
      )
      insert.run(
        '1',
        'alpha',
        'worker',
        'a.wasm',
        'running',
        4711,
        '2026-11-01 10:00:00',
        '2026-11-01 10:00:01',
      )
    },
  })
  expect((await app.get('/api/agents')).body).toEqual({
    agents: [
      {
        id: '1',
        name: 'alpha',
        template: 'worker',
        source: 'a.wasm',
        status: 'running',
        pid: 4711,
        created_at: '2026-11-01T10:00:00Z',
        updated_at: '2026-11-01T10:00:01Z',
      },
      {
        id: '2',
        name: 'beta',
        template: null,
        source: 'b.wasm',
        status: 'crashed',
        pid: null,
        created_at: '2026-11-01T08:00:00Z',
        updated_at: '2026-11-01T10:00:00.250Z',
      },
    ],
  })
})

test('missing values are empty strings where section 2.9 of the specification requires a string, otherwise null', async () => {
  createProject(
    'CREATE TABLE agents (name, status, source, created_at, pid, color)',
    "INSERT INTO agents VALUES ('a', NULL, NULL, 'yesterday', 'many', 'red'), ('b', 1, 2.5, '2026-02-30 10:00:00', '12', NULL)",
  )
  expect(await rowsOf('/api/agents', 'agents')).toEqual([
    {
      id: null,
      name: 'a',
      template: null,
      source: '',
      status: '',
      pid: null,
      created_at: '',
      updated_at: null,
    },
    {
      id: null,
      name: 'b',
      template: null,
      source: '2.5',
      status: '1',
      pid: 12,
      created_at: '',
      updated_at: null,
    },
  ])
})

test('supervisors list their children in order, each with the state of its agent', async () => {
  makeAgentProject(app.project.folder, {
    fill: (database) => {
      database.exec(`
        INSERT INTO agents (id, name, status, created_at, updated_at) VALUES ('1', 'alpha', 'running', '', '');
        INSERT INTO supervisors VALUES ('s2', 'west', 'one-for-all', 5, 30, 'running', '2026-11-01 10:00:00'),
                                       ('s1', 'east', 'one-for-one', 3, 60, 'stopped', '2026-11-01 09:00:00');
        INSERT INTO supervisor_children VALUES ('s1', 'ghost', 1), ('s1', 'alpha', 0), ('nobody', 'alpha', 0)`)
    },
  })
  expect((await app.get('/api/supervisors')).body).toEqual({
    supervisors: [
      {
        name: 'east',
        strategy: 'one-for-one',
        max_restarts: 3,
        restart_window: 60,
        status: 'stopped',
        created_at: '2026-11-01T09:00:00Z',
        children: [
          { name: 'alpha', position: 0, status: 'running' },
          { name: 'ghost', position: 1, status: null },
        ],
      },
      {
        name: 'west',
        strategy: 'one-for-all',
        max_restarts: 5,
        restart_window: 30,
        status: 'running',
        created_at: '2026-11-01T10:00:00Z',
        children: [],
      },
    ],
  })
})

test('a number stored as text is a number, and an invalid amount is 0 and listed as invalid', async () => {
  createProject(
    'CREATE TABLE cost_budgets (agent_name, budget_cents TEXT, spent_cents TEXT, period, action)',
    "INSERT INTO cost_budgets VALUES ('a', '1200', '7', 'day', 'pause'), ('b', 'plenty', NULL, NULL, NULL), ('c', '1e3', '12.5', 'week', 'alert')",
  )
  const rest = { alert_at: null, last_reset: null }
  expect((await app.get('/api/cost')).body).toEqual({
    budgets: [
      { agent_name: 'a', budget_cents: 1200, spent_cents: 7, period: 'day', action: 'pause', ...rest },
      {
        agent_name: 'b',
        budget_cents: 0,
        spent_cents: 0,
        period: '',
        action: '',
        ...rest,
        invalid: ['budget_cents', 'spent_cents'],
      },
      {
        agent_name: 'c',
        budget_cents: 1000,
        spent_cents: 0,
        period: 'week',
        action: 'alert',
        ...rest,
        invalid: ['spent_cents'],
      },
    ],
  })
})

test('trust records and deployments are returned as stored, with null for invalid values', async () => {
  createProject(
    'CREATE TABLE trust_records (agent_name PRIMARY KEY, auid, trust_tier, t_score, credit_rating, verified_at, status)',
    "INSERT INTO trust_records VALUES ('a', 'auid:1', 'gold', '870', 'AA', '2026-11-01 10:00:00', 'active'), ('b', NULL, NULL, 'high', NULL, 'never', NULL)",
    'CREATE TABLE edge_deployments (agent_name PRIMARY KEY, worker_name, region, status, url, deployed_at)',
    "INSERT INTO edge_deployments VALUES ('a', 'w', 'eu', 'active', 'https://a.example', '2026-11-01T10:00:00Z')",
  )
  expect((await app.get('/api/trust')).body).toEqual({
    records: [
      {
        agent_name: 'a',
        auid: 'auid:1',
        trust_tier: 'gold',
        t_score: 870,
        credit_rating: 'AA',
        verified_at: '2026-11-01T10:00:00Z',
        status: 'active',
      },
      {
        agent_name: 'b',
        auid: null,
        trust_tier: null,
        t_score: null,
        credit_rating: null,
        verified_at: null,
        status: null,
      },
    ],
  })
  expect((await app.get('/api/edge')).body).toEqual({
    deployments: [
      {
        agent_name: 'a',
        worker_name: 'w',
        region: 'eu',
        status: 'active',
        url: 'https://a.example',
        deployed_at: '2026-11-01T10:00:00Z',
      },
    ],
  })
})

describe('the broker', () => {
  test('counts routes by handler, sums costs and lists missing ones as invalid', async () => {
    makeAgentProject(app.project.folder, {
      fill: (database) => {
        database.exec(`
          DROP TABLE broker_routes;
          CREATE TABLE broker_routes (id INTEGER PRIMARY KEY, task, handler, handler_type, cost_cents, latency_ms, created_at);
          INSERT INTO broker_routes VALUES
            (1, 'sum', 'adder', 'wasm', '2', 10, '2026-11-01 10:00:00'), (2, 'talk', 'model', 'llm', 4.5, '30', 'soon'),
            (3, 'sort', 'sorter', 'skill', NULL, NULL, NULL), (4, 'odd', 'odd', 'magic', 1, 'slow', NULL);
          INSERT INTO skills VALUES ('sorter', '1.0.0', 'registry', 'sorter.wasm', 'Sorts', '2026-10-01 00:00:00')`)
      },
    })
    const { body } = await app.get('/api/broker')
    expect(body['stats']).toEqual({
      total_routes: 4,
      skill_routes: 1,
      wasm_routes: 1,
      llm_routes: 1,
      total_cost_cents: 7.5,
      avg_latency_ms: 20,
      invalid: ['total_cost_cents'],
    })
    expect(body['skills']).toEqual([
      {
        name: 'sorter',
        version: '1.0.0',
        source: 'registry',
        wasm_path: 'sorter.wasm',
        description: 'Sorts',
        installed_at: '2026-10-01T00:00:00Z',
      },
    ])
    expect((body['recent'] as Rows).map(({ id }) => id)).toEqual([4, 3, 2, 1])
    expect((body['recent'] as Rows)[2]).toEqual({
      id: 2,
      task: 'talk',
      handler: 'model',
      handler_type: 'llm',
      cost_cents: 4.5,
      latency_ms: 30,
      created_at: null,
    })
  })

  test('gives the same totals when read in many slices', async () => {
    makeAgentProject(app.project.folder, {
      fill: (database) => {
        const insert = database.prepare('INSERT INTO broker_routes VALUES (?, ?, ?, ?, ?, ?, ?)')
        // Ids with gaps, some of them negative.
        for (let n = 0; n < 40_000; n += 1)
          insert.run(n * 3 - 60_000, 't', 'h', n % 4 === 0 ? 'skill' : 'llm', 1, n % 2, '')
      },
    })
    expect((await app.get('/api/broker')).body['stats']).toEqual({
      total_routes: 40_000,
      skill_routes: 10_000,
      wasm_routes: 0,
      llm_routes: 30_000,
      total_cost_cents: 40_000,
      avg_latency_ms: 0.5,
    })
  })
})

describe('the audit log', () => {
  const fillAudit = (count: number, journal: 'wal' | 'delete' = 'wal'): void => {
    makeAgentProject(app.project.folder, {
      journal,
      fill: (database) => {
        const insert = database.prepare('INSERT INTO audit_log VALUES (?, ?, ?, ?, ?, ?, ?)')
        for (let id = 1; id <= count; id += 1) {
          const detail = id % 1000 === 7 ? `Ünlike the 100% others_${id}` : `step ${id}`
          insert.run(
            id,
            '2026-11-01 10:00:00',
            id,
            'alpha',
            'agent.step',
            detail,
            auditHash(id, 'alpha', 'agent.step', detail),
          )
        }
      },
    })
  }
  const idsOf = async (query: string): Promise<unknown[]> =>
    (await rowsOf(`/api/audit${query}`, 'entries')).map(({ id }) => id)

  test('lists the newest 500 entries first, and `next` leads to the rest', async () => {
    fillAudit(1201)
    const seen: unknown[] = []
    let query = ''
    for (const size of [500, 500, 201]) {
      const { body } = await app.get(`/api/audit${query}`)
      const entries = body['entries'] as Rows
      expect(entries).toHaveLength(size)
      seen.push(...entries.map(({ id }) => id))
      query = `?before=${String(body['next'])}`
      if (size === 201) expect(body).not.toHaveProperty('next')
    }
    expect(seen).toEqual(Array.from({ length: 1201 }, (_, n) => 1201 - n))
  })

  test('has no `next` on the last page, even if that is full', async () => {
    fillAudit(500)
    const { body } = await app.get('/api/audit')
    expect(body['entries']).toHaveLength(500)
    expect(body).not.toHaveProperty('next')
  })

  test('verifies each entry against its hash, with null as an empty string', async () => {
    const good = [
      [1, 1, 'alpha', 'agent.start', 'ok'],
      [2, null, null, 'tick', null],
      [3, 9_007_199_254_740_995n, 'grün 🤖', 'a:b', 'x:y:z'],
    ] as const
    createProject(
      'CREATE TABLE audit_log (id INTEGER PRIMARY KEY, timestamp, lamport, agent_name, event_type, detail, content_hash, color)',
    )
    withProject(app.project, (database) => {
      const insert = database.prepare('INSERT INTO audit_log VALUES (?, NULL, ?, ?, ?, ?, ?, NULL)')
      for (const [id, ...parts] of good) {
        const [lamport, agent, event, detail] = parts
        insert.run(id, ...parts, auditHash(lamport, agent, event, detail))
      }
      insert.run(4, 4, 'alpha', 'agent.start', 'changed', auditHash(4, 'alpha', 'agent.start', 'ok'))
      insert.run(5, 5, 'alpha', 'agent.start', 'ok', auditHash(5, 'alpha', 'agent.start', 'ok').toUpperCase())
      insert.run(6, 6, 'alpha', 'agent.start', 'ok', null)
    })
    const entries = await rowsOf('/api/audit', 'entries')
    expect(entries.map(({ id, verified }) => [id, verified])).toEqual([
      [6, false],
      [5, false],
      [4, false],
      [3, true],
      [2, true],
      [1, true],
    ])
    expect(entries[0]).toEqual({
      id: 6,
      timestamp: null,
      lamport: 6,
      agent_name: 'alpha',
      event_type: 'agent.start',
      detail: 'ok',
      content_hash: null,
      verified: false,
    })
  })

  test('can be read from a UTF-16 database', async () => {
    createProject(
      "PRAGMA encoding = 'UTF-16le'",
      'CREATE TABLE audit_log (id INTEGER PRIMARY KEY, lamport, agent_name, event_type, detail, content_hash)',
      `INSERT INTO audit_log VALUES (1, 1, 'grün', 'e', 'd', '${auditHash(1, 'grün', 'e', 'd')}')`,
    )
    expect(await rowsOf('/api/audit', 'entries')).toMatchObject([{ agent_name: 'grün', verified: true }])
  })

  test('is searched in agents, events and details, case-insensitively', async () => {
    fillAudit(24_000)
    expect(await idsOf('?q=OTHERS')).toEqual(Array.from({ length: 24 }, (_, n) => 23_007 - n * 1000))
    expect(await idsOf(`?q=${encodeURIComponent('üNLIKE THE')}`)).toHaveLength(24)
    expect(await idsOf('?q=others&before=3007')).toEqual([2007, 1007, 7])
    expect(await idsOf('?q=nothing+like+it')).toEqual([])
    expect(await idsOf('?q=ALPHA')).toHaveLength(500)
    expect(await idsOf('?q=agent.STEP')).toHaveLength(500)
  })

  test('is searched without wildcards', async () => {
    fillAudit(24_000)
    expect(await idsOf(`?q=${encodeURIComponent('100% others_7007')}`)).toEqual([7007])
    expect(await idsOf(`?q=${encodeURIComponent('1%8')}`)).toEqual([])
    expect(await idsOf('?q=others_7')).toEqual([7007, 7])
    expect(await idsOf(`?q=${encodeURIComponent("'; --")}`)).toEqual([])
  })

  test('returns search results page by page', async () => {
    fillAudit(900)
    const first = await app.get('/api/audit?q=step+')
    expect(first.body['entries']).toHaveLength(500)
    const rest = await idsOf(`?q=step+&before=${String(first.body['next'])}`)
    expect(rest.at(-1)).toBe(1)
  })

  test('rejects an invalid id and a search that is too long', async () => {
    for (const query of ['before=last', 'before=1.5', 'before=', `q=${'x'.repeat(101)}`]) {
      expect(await app.get(`/api/audit?${query}`), query).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      })
    }
  })
})
