import { mkdirSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  AgentBroker,
  AgentTrust,
  EdgeDeployment,
} from '../../src/shared/contracts/desk-agents-tables.ts'
import type {
  AgentOverview,
  AgentPage,
  AgentRow,
  Supervisor,
} from '../../src/shared/contracts/desk-agents.ts'
import { makeAgentProject, removeDatabase, withProject } from '../support/agents/agent-project.ts'
import { hour, startDeskAgents, storedTime, writeAgent, writeAudit } from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'

let app: DeskAgents
beforeAll(async () => {
  app = await startDeskAgents()
})
afterAll(() => app.stop())
beforeEach(() => {
  removeDatabase(app.project)
  makeAgentProject(app.project.folder)
})

interface List {
  items: AgentRow[]
  total: number
  counts: Record<string, number>
  supervisors: string[]
}
const list = (query = ''): Promise<List> => app.read<List>(`/list?${query}`)
const names = ({ items }: List): string[] => items.map(({ name }) => name)
const supervise = (
  id: string,
  children: string[],
  values: unknown[] = ['one-for-one', 3, 60, 'running'],
): void =>
  withProject(app.project, (database) => {
    database
      .prepare('INSERT INTO supervisors VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, `${id}-name`, ...values, storedTime())
    for (const [position, agent] of children.entries()) {
      database.prepare('INSERT INTO supervisor_children VALUES (?, ?, ?)').run(id, agent, position)
    }
  })

describe('the list of agents', () => {
  test('includes data from other tables', async () => {
    withProject(app.project, (database) => {
      writeAgent(database, 'beta', { status: 'PAUSED ', source: 'modules/beta.wasm' })
      writeAgent(database, 'alpha', { status: 'dreaming' })
      writeAudit(database, { agent: 'beta', at: '2026-10-01 10:00:00' })
    })
    supervise('s', ['beta', 'ghost'])
    const found = await app.readUntil<List>('both are read', '/list', ({ total }) => total === 2)
    expect(found).toMatchObject({
      total: 2,
      counts: { paused: 1, unknown: 1, running: 0 },
      supervisors: ['s-name'],
    })
    expect(found.items).toMatchObject([
      { name: 'alpha', state: 'unknown', status: 'dreaming', supervisor: null, source: null, release: null },
      { name: 'beta', state: 'paused', supervisor: 's-name', lastActivityAt: '2026-10-01T10:00:00.000Z' },
    ])
  })

  test('can be filtered by text, state and supervisor, and sorts unknown values last', async () => {
    withProject(app.project, (database) => {
      writeAgent(database, 'one', { status: 'running', updated: storedTime(-3 * hour) })
      writeAgent(database, 'two', { status: 'crashed', updated: storedTime(-hour) })
      writeAgent(database, 'three', { status: 'stopped', updated: 'never', template: 'Summariser' })
    })
    supervise('s', ['one'])
    expect(names(await list('q=SUMMAR'))).toEqual(['three'])
    expect(names(await list('state=crashed'))).toEqual(['two'])
    expect((await list('state=crashed')).counts).toMatchObject({ running: 1, crashed: 1, stopped: 1 })
    expect(names(await list('supervisor=s-name'))).toEqual(['one'])
    expect(names(await list('unsupervised=true'))).toEqual(['three', 'two'])
    expect(names(await list('sort=state'))).toEqual(['two', 'three', 'one'])
    expect(names(await list('sort=activity&order=desc'))).toEqual(['two', 'one', 'three'])
    expect(names(await list('sort=activity&order=asc'))).toEqual(['one', 'two', 'three'])
  })

  test('has 200 agents per page', async () => {
    withProject(app.project, (database) => {
      for (let n = 0; n < 450; n += 1) writeAgent(database, `agent-${String(n).padStart(3, '0')}`)
    })
    expect((await list()).items).toHaveLength(200)
    expect(names(await list('offset=400'))).toHaveLength(50)
  })
})

describe('the page of one agent', () => {
  const page = (name: string): Promise<AgentPage> =>
    app.read<AgentPage>(`/agent?name=${encodeURIComponent(name)}`)

  test('shows its data from all tables', async () => {
    const name = 'a/b ?&"ü'
    withProject(app.project, (database) => {
      writeAgent(database, name, { status: 'running', source: 'm.wasm', template: 't' })
      writeAudit(database, { agent: name, detail: 'first' })
      writeAudit(database, { agent: 'other' })
      writeAudit(database, { agent: name, detail: 'second' })
      database
        .prepare('INSERT INTO cost_budgets VALUES (?, 100, ?, 80, ?, 10, ?)')
        .run(name, 'day', 'alert', null)
      database
        .prepare('INSERT INTO trust_records VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(name, 'auid:1', 'gold', '712', 'A', 'x', 'active')
      database
        .prepare('INSERT INTO edge_deployments VALUES (?, ?, ?, ?, ?, ?)')
        .run(name, 'w', 'eu', 'live', 'https://e', storedTime())
    })
    supervise('s', ['x', name])
    const { agent } = await page(name)
    expect(agent).toMatchObject({
      name,
      template: 't',
      supervisors: [{ name: 's-name', position: 1 }],
      budget: { agent: name, usedPercent: 10 },
      trust: { tier: 'gold', score: 712, verifiedAt: null, known: true },
      deployments: [{ worker: 'w', agentState: 'running' }],
      module: { source: 'm.wasm' },
      timelineTotal: 2,
    })
    expect(agent?.timeline.map(({ detail }) => detail)).toEqual(['second', 'first'])
  })

  test('lists the tables that still mention a missing agent', async () => {
    withProject(app.project, (database) => {
      writeAudit(database, { agent: 'gone' })
      database.exec("INSERT INTO cost_budgets VALUES ('gone', 1, 'day', 80, 'alert', 0, NULL)")
    })
    expect(await page('gone')).toMatchObject({ agent: null, namedIn: ['cost_budgets', 'audit_log'] })
  })

  test('shows the release of its module, even after it was revoked', async () => {
    const id = await app.release({ name: 'mail-sorter' }, 'approved')
    const bytes = app.wasm
    mkdirSync(join(app.project.folder, 'modules'), { recursive: true })
    writeFileSync(join(app.project.folder, 'modules/m.wasm'), bytes)
    withProject(app.project, (database) => {
      writeAgent(database, 'sorter', { source: 'modules/m.wasm' })
      writeAgent(database, 'lost', { source: 'modules/none.wasm' })
      writeAgent(database, 'folder', { source: 'modules' })
    })
    const digest = createHash('sha256').update(bytes).digest('hex')
    const known = await app.readUntil<AgentPage>(
      'the module is read',
      '/agent?name=sorter',
      ({ agent }) => agent?.module?.digest !== null,
    )
    expect(known.agent?.module).toMatchObject({
      digest,
      bytes: bytes.length,
      problem: null,
      revoked: false,
      releases: [
        { name: 'mail-sorter', version: '1.0.0', status: 'approved', reason: expect.any(String) as string },
      ],
    })
    expect((await page('lost')).agent?.module).toMatchObject({
      digest: null,
      problem: 'missing',
      releases: [],
    })
    expect((await page('folder')).agent?.module).toMatchObject({ digest: null, problem: 'unreadable' })
    await app.decide(id, 'revoked')
    expect((await page('sorter')).agent).toMatchObject({
      module: { revoked: true },
      release: { status: 'revoked' },
    })
    await app.readUntil<List>('the filter finds it', '/list?revoked=true', ({ items }) => items.length === 1)
    const overview = await app.readUntil<AgentOverview>(
      'there is an alert',
      '/overview',
      ({ alerts }) => alerts.length === 1,
    )
    expect(overview.alerts).toMatchObject([
      { kind: 'revoked', agent: 'sorter', revoked: { digest, release: { name: 'mail-sorter' } } },
    ])
  })
})

describe('the supervisors', () => {
  const supervisors = async (): Promise<Supervisor[]> =>
    (await app.read<{ items: Supervisor[] }>('/supervisors')).items

  test('are a tree of children with their states', async () => {
    withProject(app.project, (database) => {
      writeAgent(database, 'up')
      writeAgent(database, 'down', { status: 'crashed' })
      writeAgent(database, 'free')
      writeAudit(database, { agent: 'down', event: 'crashed', detail: 'exit 134' })
      writeAudit(database, { agent: 'down', event: 'agent.step' })
    })
    supervise('s', ['down', 'ghost', 'up'])
    supervise('calm', ['up'])
    const tree = await app.read<{ items: Supervisor[]; unsupervised: number }>('/supervisors')
    expect(tree.unsupervised).toBe(1)
    expect(tree.items).toMatchObject([
      { name: 'calm-name', trouble: false, restarts: null },
      {
        name: 's-name',
        strategy: 'one-for-one',
        trouble: true,
        missing: 1,
        counts: { crashed: 1, running: 1 },
      },
    ])
    expect(tree.items[1]?.children).toMatchObject([
      {
        agent: 'down',
        state: 'crashed',
        note: { kind: 'crashed', detail: 'exit 134' },
        lastEvent: { event: 'agent.step' },
      },
      { agent: 'ghost', state: null, lastEvent: null, note: null },
      { agent: 'up', state: 'running', note: null },
    ])
  })

  test('count restarts within their window if the audit records any', async () => {
    withProject(app.project, (database) => {
      writeAgent(database, 'a', { status: 'crashed' })
      writeAgent(database, 'b')
      for (const ago of [500, 480, 470])
        writeAudit(database, {
          agent: 'a',
          event: 'started',
          detail: 'restart 1 of 3',
          at: storedTime(-ago * 1000),
        })
      writeAudit(database, { agent: 'a', event: 'crashed', detail: 'exit 1', at: storedTime(-460_000) })
      writeAudit(database, { agent: 'b', event: 'agent.restarted', at: storedTime(-30_000) })
      writeAudit(database, { agent: 'b', event: 'agent.restarted', at: storedTime(-90_000) })
      writeAudit(database, { agent: 'b', event: 'started', detail: 'pid 4' })
    })
    supervise('s', ['a'])
    supervise('t', ['b'])
    expect(await supervisors()).toMatchObject([
      { restarts: { inWindow: 3, limitReached: true }, trouble: true },
      { restarts: { inWindow: 1, limitReached: false }, trouble: false },
    ])
    const details = await app.read<{ minutes: { restarts: number }[]; exits: unknown[]; exitsTotal: number }>(
      '/supervisors/restarts?id=s',
    )
    expect(details.minutes).toHaveLength(30)
    expect(details.minutes.reduce((sum, { restarts }) => sum + restarts, 0)).toBe(3)
    expect(details).toMatchObject({
      exitsTotal: 1,
      exits: [{ agent: 'a', event: 'crashed', detail: 'exit 1' }],
    })
  })
})

describe('trust and edge', () => {
  test('records sort unknown values last and can be filtered by existing values', async () => {
    withProject(app.project, (database) => {
      const insert = database.prepare('INSERT INTO trust_records VALUES (?, ?, ?, ?, ?, ?, ?)')
      insert.run('a', 'auid:a', 'gold', 700, 'AA', '2026-10-01 10:00:00', 'active')
      insert.run('b', null, 'iron', null, null, 'bad', null)
      insert.run('c', 'auid:c', 'gold', '900', 'A', null, 'active')
    })
    interface Trust {
      items: AgentTrust[]
      total: number
    }
    const read = (query: string): Promise<Trust> => app.read<Trust>(`/trust?${query}`)
    const all = await read('sort=score&order=desc')
    expect(all.items.map(({ agent, score }) => [agent, score])).toEqual([
      ['c', 900],
      ['a', 700],
      ['b', null],
    ])
    expect((await read('sort=score&order=asc')).items.map(({ agent }) => agent)).toEqual(['a', 'c', 'b'])
    expect(all).toMatchObject({
      tiers: [
        { name: 'gold', rows: 2 },
        { name: 'iron', rows: 1 },
      ],
      statuses: [{ name: 'active', rows: 2 }],
    })
    expect((await read('tier=gold&rating=A')).items).toMatchObject([{ agent: 'c', known: false }])
    expect((await read('q=AUID:A')).total).toBe(1)
  })

  test('deployments show the state of their agent', async () => {
    withProject(app.project, (database) => {
      writeAgent(database, 'a', { status: 'stopped' })
      const insert = database.prepare('INSERT INTO edge_deployments VALUES (?, ?, ?, ?, ?, ?)')
      insert.run('a', 'w1', 'eu-west', 'live', 'https://a.example', storedTime())
      insert.run('z', 'w2', 'us-east', null, 'javascript:alert(1)', null)
    })
    const read = (query: string): Promise<{ items: EdgeDeployment[]; total: number }> =>
      app.read(`/edge?${query}`)
    expect((await read('')).items).toMatchObject([
      { agent: 'a', agentState: 'stopped', region: 'eu-west' },
      { agent: 'z', agentState: null, status: null, deployedAt: null },
    ])
    expect((await read('region=us-east')).total).toBe(1)
  })
})

describe('the broker', () => {
  test('shows shares, exact latencies and the savings compared with LLM only', async () => {
    withProject(app.project, (database) => {
      const insert = database.prepare(
        'INSERT INTO broker_routes (task, handler, handler_type, cost_cents, latency_ms, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      for (let n = 1; n <= 100; n += 1) insert.run('t', 'csv-to-json', 'skill', 0, n, storedTime())
      for (const cents of [10, 30]) insert.run('t', 'claude', 'llm', cents, 500, storedTime())
      insert.run('t', 'odd', 'oracle', 1, 7, storedTime())
      insert.run('t', 'old', 'wasm', 5, 5, storedTime(-3 * hour))
      database.exec(
        "INSERT INTO skills VALUES ('csv-to-json', '1.0.0', 'registry', 's.wasm', 'x', '2026-10-01 10:00:00')",
      )
    })
    const broker = await app.read<AgentBroker>('/broker?period=hour')
    expect(broker).toMatchObject({
      together: { routes: 103, cents: 41, p50: 51, p95: 97 },
      saved: { cents: 2019, allLlmCents: 2060, llmRouteCents: 20, llmRoutes: 2 },
      bucket: 'minute',
      skills: [{ name: 'csv-to-json', routes: 100 }],
    })
    expect(broker.byType).toMatchObject([
      { type: 'skill', sum: { routes: 100, p50: 50, p95: 95 } },
      { type: 'wasm', sum: { routes: 0, cents: 0, p50: null } },
      { type: 'llm', sum: { routes: 2 } },
      { type: 'other', sum: { routes: 1 } },
    ])
    expect(broker.byHandler).toMatchObject({
      total: 3,
      items: [{ handler: 'csv-to-json' }, { handler: 'claude' }, { handler: 'odd' }],
    })
    const overview = await app.read<AgentOverview>('/overview')
    expect(overview.broker).toMatchObject({
      together: { routes: 103, p95: 97 },
      skill: 100,
      llm: 2,
      other: 1,
    })
    const routes = await app.read<{ items: unknown[]; total: number }>('/routes?period=30 days&type=wasm')
    expect(routes).toMatchObject({ total: 1, items: [{ handler: 'old', type: 'wasm', cents: 5 }] })
  })
})
