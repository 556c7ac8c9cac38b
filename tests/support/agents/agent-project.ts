import { hash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import '../../../src/server/db/allow-uris.ts'
import { projectSchema } from '../../../src/server/agents/demo/project-schema.ts'

export type Journal = 'wal' | 'delete'

export interface AgentProject {
  folder: string
  /** Path of its database. */
  file: string
}

/** The paths of an agent project; creates nothing. */
export function agentProject(folder: string): AgentProject {
  return { folder, file: join(folder, 'data', 'nexus.db') }
}

/** The hash of an audit row (rulings, "Dashboard API"). */
export function auditHash(
  lamport: number | bigint | null,
  agent: string | null,
  event: string | null,
  detail: string | null,
): string {
  const text = [lamport, agent, event, detail].map((part) => part ?? '').join(':')
  return hash('sha256', text)
}

/** A project with every table and the rows added by `fill`. Its database is closed on return. */
export function makeAgentProject(
  folder: string,
  { journal = 'wal', fill }: { journal?: Journal; fill?: (database: Sqlite.Database) => void } = {},
): AgentProject {
  const project = agentProject(folder)
  withProject(project, (database) => {
    database.pragma(`journal_mode = ${journal}`)
    database.exec(projectSchema)
    if (fill !== undefined) database.transaction(fill)(database)
  })
  return project
}

/** Runs work as the project's owner, in this process. */
export function withProject<T>({ file }: AgentProject, work: (database: Sqlite.Database) => T): T {
  mkdirSync(dirname(file), { recursive: true })
  const database = new Sqlite(file)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Removes the database with the files next to it. */
export function removeDatabase({ file }: AgentProject): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}

/** Adds many rows to every table. */
export function addManyRows(
  database: Sqlite.Database,
  counts: { agents: number; audit: number; routes?: number },
): void {
  const time = (at: number): string => {
    const text = new Date(Date.UTC(2026, 9, 1) + at * 1000).toISOString()
    return `${text.slice(0, 10)} ${text.slice(11, 19)}`
  }
  const states = ['running', 'stopped', 'crashed', 'paused']
  const statements = {
    agent: database.prepare('INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    supervisor: database.prepare('INSERT INTO supervisors VALUES (?, ?, ?, ?, ?, ?, ?)'),
    child: database.prepare('INSERT INTO supervisor_children VALUES (?, ?, ?)'),
    budget: database.prepare('INSERT INTO cost_budgets VALUES (?, ?, ?, ?, ?, ?, ?)'),
    trust: database.prepare('INSERT INTO trust_records VALUES (?, ?, ?, ?, ?, ?, ?)'),
    deployment: database.prepare('INSERT INTO edge_deployments VALUES (?, ?, ?, ?, ?, ?)'),
    audit: database.prepare('INSERT INTO audit_log VALUES (?, ?, ?, ?, ?, ?, ?)'),
    route: database.prepare('INSERT INTO broker_routes VALUES (?, ?, ?, ?, ?, ?, ?)'),
    skill: database.prepare('INSERT INTO skills VALUES (?, ?, ?, ?, ?, ?)'),
  }
  for (let n = 0; n < counts.agents; n += 1) {
    const name = `agent-${String(n).padStart(5, '0')}`
    statements.agent.run(
      `id-${n}`,
      name,
      'worker',
      `modules/${name}.wasm`,
      states[n % 4],
      n % 4 === 0 ? n + 1000 : null,
      time(n),
      time(n + 60),
    )
    if (n % 10 === 0)
      statements.supervisor.run(
        `s-${n / 10}`,
        `supervisor-${n / 10}`,
        'one-for-one',
        3,
        60,
        'running',
        time(n),
      )
    statements.child.run(`s-${Math.floor(n / 10)}`, name, n % 10)
    statements.budget.run(name, 10_000, 'month', 80, 'alert', n % 10_000, time(0))
    statements.trust.run(name, `auid:${name}`, 'gold', n % 1000, 'AA', time(n), 'active')
    statements.deployment.run(name, `worker-${n}`, 'eu-west', 'active', `https://${name}.example`, time(n))
  }
  for (let n = 0; n < 100; n += 1)
    statements.skill.run(`skill-${n}`, '1.0.0', 'registry', `skills/${n}.wasm`, 'A skill', time(n))
  const kinds = ['skill', 'wasm', 'llm']
  for (let n = 0; n < (counts.routes ?? counts.agents); n += 1) {
    statements.route.run(n + 1, `task ${n}`, `handler-${n % 7}`, kinds[n % 3], n % 5, n % 300, time(n))
  }
  for (let n = 1; n <= counts.audit; n += 1) {
    const agent = `agent-${String(n % Math.max(counts.agents, 1)).padStart(5, '0')}`
    const detail = `{"step":${n},"result":"ok","took":${n % 977}}`
    statements.audit.run(
      n,
      time(n),
      n,
      agent,
      'agent.step',
      detail,
      auditHash(n, agent, 'agent.step', detail),
    )
  }
}
