import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import { fillLargely, makeAgentProject } from '../support/agents/agent-project.ts'
import type { AgentProject } from '../support/agents/agent-project.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { dashboardPaths, getJson } from '../support/agents/dashboard.ts'
import { timeAnswer, untilIdle } from '../support/agents/poll-dashboard.ts'

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
/** What three of four are slower than: a slice of what nobody waits for may be in front of any of them. */
const quarter = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 2] ?? Number.NaN
const worst = (times: readonly number[]): number => Math.max(...times)

afterAll(cleanUp)

const startOn = async (project: AgentProject): Promise<Serving> =>
  serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: project.folder })

const like = (word: string): string =>
  ['agent_name', 'event_type', 'detail'].map((column) => `${column} LIKE '%${word}%'`).join(' OR ')

describe('with 10,000 agents and 1,000,000 audit rows', () => {
  let project: AgentProject
  let server: Serving
  let database: Sqlite.Database
  beforeAll(async () => {
    project = makeAgentProject(join(temporaryFolder(), 'large'), {
      fill: (filled) => fillLargely(filled, { agents: 10_000, audit: 1_000_000 }),
    })
    server = await startOn(project)
    // What the desk brings into memory in the beginning is not what is measured here.
    await untilIdle(server.pid)
    database = new Sqlite(project.file, { readonly: true })
  }, 300_000)
  afterAll(async () => {
    database.close()
    await server.stop()
  })

  const all = (sql: string): unknown => database.prepare(sql).all()
  /** The query that each path is about, without anything around it. */
  const bare: Record<string, () => unknown> = {
    '/api/agents': () => all('SELECT * FROM agents ORDER BY name'),
    '/api/supervisors': () => [
      all('SELECT * FROM supervisors ORDER BY name'),
      all(`SELECT c.*, a.status FROM supervisor_children c LEFT JOIN agents a ON a.name = c.agent_name
           ORDER BY supervisor_id, position`),
    ],
    '/api/cost': () => all('SELECT * FROM cost_budgets ORDER BY agent_name'),
    '/api/audit': () => all('SELECT * FROM audit_log ORDER BY id DESC LIMIT 500'),
    '/api/audit?before=500000': () =>
      all('SELECT * FROM audit_log WHERE id < 500000 ORDER BY id DESC LIMIT 500'),
    '/api/audit?q=nowhere': () =>
      all(`SELECT * FROM audit_log WHERE ${like('nowhere')} ORDER BY id DESC LIMIT 500`),
    '/api/trust': () => all('SELECT * FROM trust_records ORDER BY agent_name'),
    '/api/broker': () => [
      all(`SELECT count(*), sum(handler_type = 'skill'), sum(handler_type = 'wasm'), sum(handler_type = 'llm'),
             sum(cost_cents), avg(latency_ms) FROM broker_routes`),
      all('SELECT * FROM skills ORDER BY name'),
      all('SELECT * FROM broker_routes ORDER BY created_at DESC LIMIT 50'),
    ],
    '/api/edge': () => all('SELECT * FROM edge_deployments ORDER BY agent_name'),
  }

  /** Milliseconds of the answer, of the bare query and of the emptiest answer, measured in turn. */
  const measure = async (path: string, rounds: number, before?: () => Promise<unknown>) => {
    const times = { answer: [] as number[], query: [] as number[], http: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      await before?.()
      times.answer.push(await timeAnswer(`${server.dashboard}${path}`))
      const startedAt = performance.now()
      JSON.stringify(bare[path]?.())
      times.query.push(performance.now() - startedAt)
      times.http.push(await timeAnswer(`${server.dashboard}/api/health`))
    }
    return { answer: quarter(times.answer), query: quarter(times.query), http: quarter(times.http) }
  }

  /**
   * Expects an answer to take at most so many bare queries longer than the emptiest one. It is measured up to three
   * times: other load on the computer slows an answer more than the bare query.
   */
  const expectAtMost = async (
    most: number,
    path: string,
    rounds: number,
    before?: () => Promise<unknown>,
  ): Promise<void> => {
    const seen: string[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop
      const { answer, query, http } = await measure(path, rounds, before)
      if (answer - http < most * query) return
      seen.push(`${answer.toFixed(2)} ms, bare ${query.toFixed(2)} ms, HTTP ${http.toFixed(2)} ms`)
    }
    expect.fail(`${path} takes more than ${most} bare queries: ${seen.join('; ')}`)
  }

  test.each(Object.keys(bare))(
    '%s takes at most twice the bare query with JSON.stringify, beside what HTTP itself takes',
    async (path) => {
      const rounds = path.includes('q=') ? 5 : 25
      await timeAnswer(`${server.dashboard}${path}`)
      await untilIdle(server.pid)
      await expectAtMost(2, path, rounds)
    },
    180_000,
  )

  /**
   * By how many bare queries with JSON.stringify an answer takes longer than the emptiest one. A page of the audit is so
   * small that half of it goes to what does not depend on the rows: a thread that is asked, a file that is opened and
   * closed for each read, a schema that is read again (docs/decisions/009-agent-projects.md).
   */
  const mostWhileWritten: Record<string, number> = { '/api/audit': 4, '/api/audit?before=500000': 4 }
  /** Of the others: up to two megabytes cross a pipe, because a process of its own reads the file. */
  const mostOfLarge = 3

  test('while its owner goes on writing each answer is read anew, and takes hardly longer', async () => {
    const owner = await startOwner(project)
    try {
      const addRow = `INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash)
        VALUES ('2026-11-01 10:00:00', 1, 'writer', 'agent.step', 'a step', '')`
      await untilIdle(server.pid)
      for (const path of Object.keys(bare).filter((name) => !name.includes('q='))) {
        await expectAtMost(mostWhileWritten[path] ?? mostOfLarge, path, 30, () => owner.run(addRow))
      }
    } finally {
      await owner.kill()
    }
  }, 240_000)

  test('a search that nobody waits for any more ends soon', async () => {
    const gone = new AbortController()
    const search = fetch(`${server.dashboard}/api/audit?q=nowhere`, { signal: gone.signal })
    setTimeout(() => gone.abort(), 30)
    await expect(search).rejects.toThrow(/abort/i)
    const whole = await timeAnswer(`${server.dashboard}/api/audit?q=nowhere`)
    // Each of these would otherwise take a slice in turn with all that have been left.
    const left = Array.from({ length: 8 }, () => new AbortController())
    const searches = left.map(({ signal }) => fetch(`${server.dashboard}/api/audit?q=nowhere`, { signal }))
    for (const controller of left) controller.abort()
    await Promise.allSettled(searches)
    expect(await timeAnswer(`${server.dashboard}/api/audit?q=nowhere`)).toBeLessThan(3 * whole + 200)
  })
})

test('while another program holds the file, the registry answers as ever', async () => {
  const project = makeAgentProject(join(temporaryFolder(), 'held'), {
    journal: 'delete',
    fill: (filled) => fillLargely(filled, { agents: 100, audit: 100 }),
  })
  const server = await startOn(project)
  const owner = await startOwner(project, 'delete')
  try {
    const catalog = `${server.registry}/api/marketplace/skills`
    const timeMany = async (): Promise<number[]> => {
      const times: number[] = []
      for (let n = 0; n < 200; n += 1) times.push(await timeAnswer(catalog))
      return times
    }
    await timeMany()
    const free = await timeMany()
    await owner.run('BEGIN EXCLUSIVE')
    await owner.run("UPDATE agents SET status = 'paused'")
    const asked = [...dashboardPaths, ...dashboardPaths, ...dashboardPaths].map((path) =>
      getJson(`${server.dashboard}${path}`),
    )
    const held = await timeMany()
    expect(median(held)).toBeLessThan(median(free) + 50)
    expect(worst(held)).toBeLessThan(worst(free) + 50)
    for (const { status } of await Promise.all(asked)) expect(status).toBe(503)
  } finally {
    await owner.kill()
    await server.stop()
  }
})
