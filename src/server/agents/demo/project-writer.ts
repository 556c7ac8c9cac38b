import { hash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import { demoAgents, demoPrices } from './roster.ts'
import type { DemoAgent } from './roster.ts'

/** Pseudorandom numbers from 0 to 1, the same in every run. */
type Rng = () => number

export function createRng(seed: number): Rng {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const tasks: Readonly<Record<string, string>> = {
  'csv-to-json': 'convert a table to JSON',
  'base64-encode': 'encode an attachment',
  'luhn-check': 'validate a card number',
  'json-minify': 'compress a document',
  'word-count': 'count the words on a page',
  'hex-dump': 'inspect bytes',
  'isbn-check': 'validate an ISBN',
  crc32: 'compute a checksum',
  'unix-time': 'parse a timestamp',
  'tsv-to-csv': 'convert TSV to CSV',
  'roman-to-decimal': 'parse a call number',
}

/** Formats a time as the agent runtime does. */
export function sqlTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

/** Writes events to the demo project in the format of the agent runtime. */
export function createProjectWriter(database: Sqlite.Database, random: Rng) {
  const insert = (table: string, columns: string): Sqlite.Statement =>
    database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`)
  const statements = {
    audit: insert('audit_log', 'timestamp, lamport, agent_name, event_type, detail, content_hash'),
    cost: insert('cost_events', 'agent_name, amount_cents, model, tokens_in, tokens_out, created_at'),
    route: insert('broker_routes', 'task, handler, handler_type, cost_cents, latency_ms, created_at'),
    spend: database.prepare('UPDATE cost_budgets SET spent_cents = spent_cents + ? WHERE agent_name = ?'),
    status: database.prepare('UPDATE agents SET status = ?, pid = ?, updated_at = ? WHERE name = ?'),
    running: database.prepare<[], { name: string }>("SELECT name FROM agents WHERE status = 'running'"),
  }
  let lamport = Number(database.prepare('SELECT max(lamport) FROM audit_log').pluck().get() ?? 0)
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

  const audit = (at: Date, agent: string | null, event: string, detail: string): void => {
    lamport += between(1, 2)
    const digest = hash('sha256', `${lamport}:${agent ?? ''}:${event}:${detail}`)
    statements.audit.run(sqlTime(at), lamport, agent, event, detail, digest)
  }

  const callModel = (at: Date, name: string, model: string): void => {
    const tokensIn = between(200, 9000)
    const tokensOut = between(40, 1200)
    const price = demoPrices[model] ?? null
    const cents = price === null ? null : between(price[0], price[1])
    statements.cost.run(name, cents, model, tokensIn, tokensOut, sqlTime(at))
    if (cents !== null) statements.spend.run(cents, name)
    statements.route.run(`answer for ${name}`, model, 'llm', cents ?? 0, between(300, 2600), sqlTime(at))
    const cost = cents === null ? 'unpriced' : `$${(cents / 100).toFixed(2)}`
    audit(at, name, 'llm.call', `${model}: ${tokensIn} in, ${tokensOut} out, ${cost}`)
  }

  const callTool = (at: Date, { name, release }: DemoAgent): void => {
    const skill = release?.skill ?? 'custom module'
    const ms = between(1, 60)
    const type = release === null || random() < 0.3 ? 'wasm' : 'skill'
    statements.route.run(tasks[skill] ?? 'run a custom module', skill, type, 0, ms, sqlTime(at))
    audit(at, name, 'tool.call', `${skill}: ${between(1, 900)} KB in, exit 0, ${ms} ms`)
  }

  const setStatus = (at: Date, agent: string, status: DemoAgent['status']): void => {
    statements.status.run(status, status === 'running' ? between(20_000, 60_000) : null, sqlTime(at), agent)
  }

  return {
    audit,
    setStatus,
    /** One call of a tool or a model by a random running agent. */
    call(at: Date): void {
      const names = new Set(statements.running.all().map(({ name }) => name))
      const agent = choose(
        demoAgents.filter(({ name }) => names.has(name)),
        random,
      )
      if (agent === null) return
      if (agent.model !== null && random() < 0.45) callModel(at, agent.name, agent.model)
      else callTool(at, agent)
    },
    /** An agent exits and is restarted by its supervisor: restart `n` of `max`. */
    restart(at: Date, agent: string, exit: string, n: number, max: number): void {
      audit(at, agent, 'exited', exit)
      setStatus(at, agent, 'running')
      const started = `pid ${between(20_000, 60_000)}, restart ${n} of ${max}`
      audit(new Date(at.getTime() + 2000), agent, 'started', started)
    },
  }
}

export type ProjectWriter = ReturnType<typeof createProjectWriter>

/** Picks an agent, weighted by activity. */
function choose(agents: readonly DemoAgent[], random: Rng): DemoAgent | null {
  let left = random() * agents.reduce((sum, { activity }) => sum + activity, 0)
  for (const agent of agents) {
    left -= agent.activity
    if (left < 0) return agent
  }
  return agents.at(-1) ?? null
}
