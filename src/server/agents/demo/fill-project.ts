import type Sqlite from 'better-sqlite3'
import { calendarStart, dayMs, hourMs, minuteMs } from '../queries/times.ts'
import { projectSchema } from './project-schema.ts'
import { createProjectWriter, createRng, sqlTime } from './project-writer.ts'
import type { ProjectWriter } from './project-writer.ts'
import { demoAgents, demoBudgets, demoSupervisors } from './roster.ts'

/** Days of history. */
const days = 21
/** Calls in the busiest hour. */
const busiestHour = 110
/** Load by hour of the day (UTC), as a percentage of the busiest hour. */
const hours = [3, 2, 2, 1, 1, 2, 5, 20, 55, 90, 100, 85, 60, 75, 95, 90, 70, 45, 25, 15, 10, 8, 6, 4]
/** Load by weekday, from Sunday, as a percentage. */
const weekdays = [30, 90, 100, 95, 100, 85, 35]

/** Creates the tables and three weeks of history up to `now`. Call within a transaction. */
export function fillProject(database: Sqlite.Database, now: Date): void {
  database.exec(projectSchema)
  addAgents(database, now)
  const writer = createProjectWriter(database, createRng(20_261_122))
  addHistory(writer, now)
  addBudgets(database, now)
  addIncidents(database, writer, now)
  addTrust(database, now)
  addDeployments(database, now)
  addSkills(database, now)
}

/** Inserts whole rows with cells in column order. Duplicates are skipped: several agents may run the same skill. */
function addRows(database: Sqlite.Database, table: string, rows: readonly (readonly unknown[])[]): void {
  const cells = (rows[0] ?? []).map(() => '?').join(', ')
  const insert = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${cells})`)
  for (const row of rows) insert.run(...row)
}

function addAgents(database: Sqlite.Database, now: Date): void {
  const before = (ms: number): string => sqlTime(new Date(now.getTime() - (days + 1) * dayMs + ms))
  // Agents that are not running are stopped at the end of the history.
  const agents = demoAgents.map(({ name, template }, index) => {
    const created = before(index * 7 * minuteMs)
    const pid = 20_000 + index * 311
    return [`agt-${1000 + index}`, name, template, `modules/${name}.wasm`, 'running', pid, created, created]
  })
  addRows(database, 'agents', agents)
  for (const [index, [name, strategy, maxRestarts, window, children]] of demoSupervisors.entries()) {
    const id = `sup-${index + 1}`
    const created = before(index * hourMs)
    addRows(database, 'supervisors', [[id, name, strategy, maxRestarts, window, 'running', created]])
    addRows(
      database,
      'supervisor_children',
      children.map((member, position) => [id, member, position]),
    )
  }
}

function addHistory(writer: ProjectWriter, now: Date): void {
  const random = createRng(7)
  const first = Math.floor((now.getTime() - days * dayMs) / hourMs) * hourMs
  for (const { name } of demoAgents) writer.audit(new Date(first), name, 'started', 'started manually')
  for (let hour = first; hour < now.getTime(); hour += hourMs) {
    const date = new Date(hour)
    const share = ((hours[date.getUTCHours()] ?? 0) * (weekdays[date.getUTCDay()] ?? 0)) / 10_000
    const count = Math.round(busiestHour * share * (0.8 + 0.4 * random()))
    const times = Array.from({ length: count }, () => hour + Math.floor(random() * hourMs)).toSorted(
      (a, b) => a - b,
    )
    for (const at of times) if (at < now.getTime() - 10 * minuteMs) writer.call(new Date(at))
    if (random() < 0.02) writer.restart(new Date(hour), 'feed-poller', 'exit 1: no response within 5 s', 1, 3)
  }
}

function addBudgets(database: Sqlite.Database, now: Date): void {
  const spent = database.prepare<[string, string], { cents: number; calls: number; priced: number }>(
    `SELECT total(amount_cents) AS cents, count(*) AS calls, count(amount_cents) AS priced
     FROM cost_events WHERE agent_name = ? AND created_at >= ?`,
  )
  const budgets = demoBudgets.map(({ agent, period, action, used }) => {
    const since = sqlTime(new Date(calendarStart(period, now.getTime()) ?? 0))
    const { cents, calls, priced } = spent.get(agent, since) ?? { cents: 0, calls: 0, priced: 0 }
    const budgetCents = used === 0 || cents === 0 ? 8000 : Math.max(Math.round((cents * 100) / used), 1)
    // Without a single price the spending is unknown.
    return [agent, budgetCents, period, 80, action, calls > 0 && priced === 0 ? null : cents, since]
  })
  addRows(database, 'cost_budgets', budgets)
}

/** Adds the incidents an operator finds this morning. */
function addIncidents(database: Sqlite.Database, writer: ProjectWriter, now: Date): void {
  const before = (minutes: number, seconds = 0): Date =>
    new Date(now.getTime() - minutes * minuteMs - seconds * 1000)
  const over = database
    .prepare<[], { spent_cents: number; budget_cents: number }>(
      "SELECT spent_cents, budget_cents FROM cost_budgets WHERE agent_name = 'price-watch'",
    )
    .get()
  writer.audit(
    before(9, 40),
    'price-watch',
    'budget.paused',
    `spent ${over?.spent_cents ?? 0} of ${over?.budget_cents ?? 0} cents, period month`,
  )
  for (let n = 0; n < 6; n += 1) writer.call(before(9, 30 - n))
  // Leaves a gap in the row ids.
  database.exec('DELETE FROM audit_log WHERE id > (SELECT max(id) FROM audit_log) - 6')
  for (let n = 0; n < 8; n += 1) writer.call(before(7, 50 - n * 5))
  const exit = 'exit 134: memory allocation of 402653184 bytes failed'
  for (let n = 1; n <= 3; n += 1) writer.restart(before(5, 40 - n * 12), 'invoice-reader', exit, n, 3)
  writer.audit(before(4, 50), 'invoice-reader', 'crashed', exit)
  writer.restart(before(4), 'geo-tagger', 'exit 1: no response from the tile cache within 5 s', 1, 5)
  writer.audit(before(3), 'lead-scorer', 'trust.update', 't_score 712 to 718, rating A')
  writer.audit(before(2), 'web-digest', 'llm.call', 'qwen3-14b: 4810 in, 902 out, unpriced')
  // Makes the row fail its hash check.
  database.exec(
    "UPDATE audit_log SET detail = 'qwen3-14b: 481 in, 902 out, unpriced' WHERE id = (SELECT max(id) FROM audit_log)",
  )
  for (let n = 0; n < 6; n += 1) writer.call(before(1, 55 - n * 9))
  for (const { name, status } of demoAgents) {
    if (status !== 'running')
      writer.setStatus(name === 'invoice-reader' ? before(4, 50) : before(9, 40), name, status)
  }
}

function addTrust(database: Sqlite.Database, now: Date): void {
  const random = createRng(11)
  const tiers = [
    ['platinum', 860, 'AAA'],
    ['gold', 760, 'AA'],
    ['silver', 640, 'A'],
    ['bronze', 480, 'BB'],
  ] as const
  const records = demoAgents.map(({ name, status }, index) => {
    const auid = `auid:${(0xa1_0000 + index * 7919).toString(16)}`
    const [tier, minScore, rating] = tiers[Math.floor(random() * tiers.length)] ?? tiers[3]
    const end = status === 'crashed' ? 'suspended' : 'active'
    if (name === 'quarter-planner') return [name, auid, null, null, null, null, end]
    const score = minScore + Math.floor(random() * 100)
    const verified = sqlTime(new Date(now.getTime() - Math.floor(random() * 20 * dayMs)))
    return [name, auid, tier, score, rating, verified, end]
  })
  addRows(database, 'trust_records', records)
}

const deployedAgents = `mail-sorter feed-poller geo-tagger geo-cache web-digest news-digest metrics url-checker translator`
const regions = ['fra1', 'ams2', 'lhr1', 'iad1', 'sin1']

function addDeployments(database: Sqlite.Database, now: Date): void {
  const deployments = deployedAgents.split(' ').map((name, index) => {
    const status = name === 'translator' ? 'paused' : name === 'url-checker' ? 'failed' : 'active'
    const at = sqlTime(new Date(now.getTime() - (index * 37 + 5) * hourMs))
    const region = regions[index % regions.length]
    return [name, `${name}-${index + 1}`, region, status, `https://${name}.edge.example`, at]
  })
  addRows(database, 'edge_deployments', deployments)
}

function addSkills(database: Sqlite.Database, now: Date): void {
  const skills = demoAgents.flatMap(({ release }, index) => {
    if (release === null) return []
    const { skill, version } = release
    const installed = sqlTime(new Date(now.getTime() - (days - (index % 15)) * dayMs))
    return [[skill, version, 'registry', `skills/${skill}.wasm`, `${skill} from the registry`, installed]]
  })
  addRows(database, 'skills', skills)
}
