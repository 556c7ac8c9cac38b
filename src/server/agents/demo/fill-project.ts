import type Sqlite from 'better-sqlite3'
import { projectSchema } from './project-schema.ts'
import { createChance, createProjectWriter, sqlTime } from './project-writer.ts'
import type { ProjectWriter } from './project-writer.ts'
import { demoAgents, demoBudgets, demoSupervisors } from './roster.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000

/** Days that the demo looks back on. */
const days = 21
/** Calls in the busiest hour. */
const busiestHour = 110
/** How much of that falls into each hour of a day, in UTC. */
const hours = [3, 2, 2, 1, 1, 2, 5, 20, 55, 90, 100, 85, 60, 75, 95, 90, 70, 45, 25, 15, 10, 8, 6, 4]
/** How much of a day's work falls on each day, from Sunday on. */
const weekdays = [30, 90, 100, 95, 100, 85, 35]

/** Makes the tables and three weeks of what happened until `now`. To be called within a transaction. */
export function fillProject(database: Sqlite.Database, now: Date): void {
  database.exec(projectSchema)
  addAgents(database, now)
  const writer = createProjectWriter(database, createChance(20_261_122))
  addHistory(writer, now)
  addBudgets(database, now)
  addTrouble(database, writer, now)
  addTrust(database, now)
  addDeployments(database, now)
  addSkills(database, now)
  addWork(database, now)
}

function addAgents(database: Sqlite.Database, now: Date): void {
  const agent = database.prepare('INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const [index, { name, template }] of demoAgents.entries()) {
    const created = new Date(now.getTime() - (days + 1) * dayMs + index * 7 * minuteMs)
    const pid = 20_000 + index * 311
    // Those who do not run any more stop at the end of what happened.
    agent.run(
      `agt-${1000 + index}`,
      name,
      template,
      `modules/${name}.wasm`,
      'running',
      pid,
      sqlTime(created),
      sqlTime(created),
    )
  }
  const supervisor = database.prepare('INSERT INTO supervisors VALUES (?, ?, ?, ?, ?, ?, ?)')
  const child = database.prepare('INSERT INTO supervisor_children VALUES (?, ?, ?)')
  for (const [index, { name, strategy, maxRestarts, window, children }] of demoSupervisors.entries()) {
    const created = new Date(now.getTime() - (days + 1) * dayMs + index * hourMs)
    supervisor.run(`sup-${index + 1}`, name, strategy, maxRestarts, window, 'running', sqlTime(created))
    for (const [position, member] of children.entries()) child.run(`sup-${index + 1}`, member, position)
  }
}

function addHistory(writer: ProjectWriter, now: Date): void {
  const chance = createChance(7)
  const first = Math.floor((now.getTime() - days * dayMs) / hourMs) * hourMs
  for (const { name } of demoAgents) writer.audit(new Date(first), name, 'started', 'started by hand')
  for (let hour = first; hour < now.getTime(); hour += hourMs) {
    const date = new Date(hour)
    const share = ((hours[date.getUTCHours()] ?? 0) * (weekdays[date.getUTCDay()] ?? 0)) / 10_000
    const count = Math.round(busiestHour * share * (0.8 + 0.4 * chance()))
    const times = Array.from({ length: count }, () => hour + Math.floor(chance() * hourMs)).toSorted(
      (a, b) => a - b,
    )
    for (const at of times) if (at < now.getTime() - 10 * minuteMs) writer.call(new Date(at))
    if (chance() < 0.02) writer.restart(new Date(hour), 'feed-poller', 'exit 1: no answer within 5 s', 1, 3)
  }
}

/** The beginning of the period that `now` is in, in UTC. */
function beginningOf(period: 'day' | 'week' | 'month', now: Date): Date {
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  if (period === 'day') return new Date(day)
  if (period === 'week') return new Date(day - ((now.getUTCDay() + 6) % 7) * dayMs)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
}

function addBudgets(database: Sqlite.Database, now: Date): void {
  const budget = database.prepare('INSERT INTO cost_budgets VALUES (?, ?, ?, ?, ?, ?, ?)')
  const spent = database.prepare<[string, string], { cents: number; calls: number; priced: number }>(
    `SELECT total(amount_cents) AS cents, count(*) AS calls, count(amount_cents) AS priced
     FROM cost_events WHERE agent_name = ? AND created_at >= ?`,
  )
  for (const { agent, period, action, used } of demoBudgets) {
    const since = sqlTime(beginningOf(period, now))
    const { cents, calls, priced } = spent.get(agent, since) ?? { cents: 0, calls: 0, priced: 0 }
    const budgetCents = used === 0 || cents === 0 ? 8000 : Math.max(Math.round((cents * 100) / used), 1)
    // Nobody knows what calls without a price have cost.
    budget.run(agent, budgetCents, period, 80, action, calls > 0 && priced === 0 ? null : cents, since)
  }
}

/** What an operator finds this morning. */
function addTrouble(database: Sqlite.Database, writer: ProjectWriter, now: Date): void {
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
  // These rows were there once, and are missing now.
  database.exec('DELETE FROM audit_log WHERE id > (SELECT max(id) FROM audit_log) - 6')
  for (let n = 0; n < 8; n += 1) writer.call(before(7, 50 - n * 5))
  const words = 'exit 134: memory allocation of 402653184 bytes failed'
  for (let n = 1; n <= 3; n += 1) writer.restart(before(5, 40 - n * 12), 'invoice-reader', words, n, 3)
  writer.audit(before(4, 50), 'invoice-reader', 'crashed', words)
  writer.restart(before(4), 'geo-tagger', 'exit 1: no answer from tile cache within 5 s', 1, 5)
  writer.audit(before(3), 'lead-scorer', 'trust.update', 't_score 712 to 718, rating A')
  writer.audit(before(2), 'web-digest', 'llm.call', 'qwen3-14b: 4810 in, 902 out, no price')
  // Somebody has changed this one after it was written.
  database.exec(
    "UPDATE audit_log SET detail = 'qwen3-14b: 481 in, 902 out, no price' WHERE id = (SELECT max(id) FROM audit_log)",
  )
  for (let n = 0; n < 6; n += 1) writer.call(before(1, 55 - n * 9))
  for (const { name, status } of demoAgents) {
    if (status !== 'running')
      writer.setStatus(name === 'invoice-reader' ? before(4, 50) : before(9, 40), name, status)
  }
}

function addTrust(database: Sqlite.Database, now: Date): void {
  const trust = database.prepare('INSERT INTO trust_records VALUES (?, ?, ?, ?, ?, ?, ?)')
  const chance = createChance(11)
  const tiers = [
    ['platinum', 860, 'AAA'],
    ['gold', 760, 'AA'],
    ['silver', 640, 'A'],
    ['bronze', 480, 'BB'],
  ] as const
  for (const [index, { name, status }] of demoAgents.entries()) {
    const [tier, least, rating] = tiers[Math.floor(chance() * tiers.length)] ?? tiers[3]
    const isKnown = name !== 'quarter-planner'
    trust.run(
      name,
      `auid:${(0xa1_0000 + index * 7919).toString(16)}`,
      isKnown ? tier : null,
      isKnown ? least + Math.floor(chance() * 100) : null,
      isKnown ? rating : null,
      isKnown ? sqlTime(new Date(now.getTime() - Math.floor(chance() * 20 * dayMs))) : null,
      status === 'crashed' ? 'suspended' : 'active',
    )
  }
}

function addDeployments(database: Sqlite.Database, now: Date): void {
  const deployment = database.prepare('INSERT INTO edge_deployments VALUES (?, ?, ?, ?, ?, ?)')
  const places = ['fra1', 'ams2', 'lhr1', 'iad1', 'sin1']
  const deployed = [
    'mail-sorter',
    'feed-poller',
    'geo-tagger',
    'geo-cache',
    'web-digest',
    'news-digest',
    'metrics',
    'url-checker',
    'translator',
  ]
  for (const [index, name] of deployed.entries()) {
    const status = name === 'translator' ? 'paused' : name === 'url-checker' ? 'failed' : 'active'
    const at = new Date(now.getTime() - (index * 37 + 5) * hourMs)
    deployment.run(
      name,
      `${name}-${index + 1}`,
      places[index % places.length],
      status,
      `https://${name}.edge.example`,
      sqlTime(at),
    )
  }
}

function addSkills(database: Sqlite.Database, now: Date): void {
  const skill = database.prepare('INSERT OR IGNORE INTO skills VALUES (?, ?, ?, ?, ?, ?)')
  for (const [index, { release }] of demoAgents.entries()) {
    if (release === null) continue
    const installed = new Date(now.getTime() - (days - (index % 15)) * dayMs)
    skill.run(
      release.skill,
      release.version,
      'registry',
      `skills/${release.skill}.wasm`,
      `${release.skill} as the registry has it`,
      sqlTime(installed),
    )
  }
}

function addWork(database: Sqlite.Database, now: Date): void {
  const at = sqlTime(new Date(now.getTime() - dayMs))
  database.prepare('INSERT INTO sagas VALUES (?, ?, ?, ?)').run('saga-1', 'month end', 'completed', at)
  database
    .prepare('INSERT INTO saga_steps VALUES (?, ?, ?, ?)')
    .run('saga-1', 0, 'close the books', 'completed')
  database.prepare('INSERT INTO workflows VALUES (?, ?, ?, ?)').run('flow-1', 'morning digest', 'running', at)
  database.prepare('INSERT INTO workflow_steps VALUES (?, ?, ?, ?)').run('flow-1', 0, 'gather', 'completed')
  database.prepare('INSERT INTO pools VALUES (?, ?, ?)').run('digests', 14, at)
  const member = database.prepare('INSERT INTO pool_members VALUES (?, ?)')
  for (const { name, template } of demoAgents) if (template === 'digest') member.run('digests', name)
}
