import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentAlert } from '../../src/shared/contracts/desk-agents-common.ts'
import type { AuditPage } from '../../src/shared/contracts/desk-agents-audit.ts'
import type { AgentOverview } from '../../src/shared/contracts/desk-agents.ts'
import type { AgentProject } from '../../src/shared/contracts/desk-agents-project.ts'
import { alertText } from '../../src/shared/agent-alert-text.ts'
import { newsSchema } from '../../src/shared/services-messages.ts'
import type { News } from '../../src/shared/services-messages.ts'
import { startOwner } from '../support/agents/agent-owner.ts'
import type { AgentOwner } from '../support/agents/agent-owner.ts'
import { auditHash, makeAgentProject, removeDatabase } from '../support/agents/agent-project.ts'
import { startDeskAgents, storedTime, writeAgent, writeAudit } from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: DeskAgents
let owner: AgentOwner
const notifications: News['alerts'] = []
beforeAll(async () => {
  app = await startDeskAgents()
  app.server.watchNews((news) => notifications.push(...newsSchema.parse(news).alerts))
})
afterAll(() => app.stop())
beforeEach(async () => {
  makeAgentProject(app.project.folder, {
    fill: (database) => {
      writeAgent(database, 'reader')
      writeAgent(database, 'watch')
      database.exec("INSERT INTO cost_budgets VALUES ('watch', 5000, 'month', 80, 'pause', 0, NULL)")
      for (let n = 0; n < 5; n += 1) writeAudit(database, { agent: 'reader', detail: `row ${n}` })
    },
  })
  owner = await startOwner(app.project)
  await alertsUntil('there are no alerts', (alerts) => alerts.length === 0)
  notifications.length = 0
})
afterEach(async () => {
  await owner.close()
  removeDatabase(app.project)
})

const alertsUntil = async (
  what: string,
  matches: (alerts: AgentAlert[]) => boolean,
): Promise<AgentAlert[]> => {
  const overview = await app.readUntil<AgentOverview>(
    what,
    '/overview',
    ({ alerts, agents }) => agents !== null && matches(alerts),
  )
  return overview.alerts
}
const count = async (): Promise<number> => (await app.read<AgentProject>('/project')).counts.alerts

describe('alerts', () => {
  test('a crashed agent has an alert with its last message until it runs again', async () => {
    const hash = auditHash(9, 'reader', 'crashed', 'exit 134, out of memory')
    await owner.run(`INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash)
      VALUES ('2026-11-20 10:38:11', 9, 'reader', 'crashed', 'exit 134, out of memory', '${hash}')`)
    await owner.run(
      "UPDATE agents SET status = 'crashed', updated_at = '2026-11-20 10:38:11' WHERE name = 'reader'",
    )
    const [alert] = await alertsUntil('there is an alert', (alerts) => alerts.length === 1)
    expect(alert).toMatchObject({
      kind: 'crashed',
      agent: 'reader',
      since: '2026-11-20T10:38:11Z',
      crash: { lastWords: 'exit 134, out of memory' },
    })
    expect(await count()).toBe(1)
    await until('a notification arrives', () => notifications.length === 1)
    expect(notifications).toEqual([
      { kind: 'agent', text: 'reader crashed and is down.', href: '/desk/agents/agent?name=reader' },
    ])
    await owner.run("UPDATE agents SET status = 'running' WHERE name = 'reader'")
    await alertsUntil('the alert has ended', (alerts) => alerts.length === 0)
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    await until('another notification arrives', () => notifications.length === 2)
  })

  test('a budget over its alert threshold has one alert per period', async () => {
    await owner.run("UPDATE cost_budgets SET spent_cents = 4100 WHERE agent_name = 'watch'")
    const [alert] = await alertsUntil('there is an alert', (alerts) => alerts.length === 1)
    if (alert === undefined) throw new Error('no alert')
    expect(alertText(alert)).toMatchObject({
      about: 'watch',
      title: 'has reached the alert threshold of its monthly budget: $41.00 of $50.00',
    })
    await until('a notification arrives', () => notifications.length === 1)
    await owner.run("UPDATE cost_budgets SET spent_cents = 5218 WHERE agent_name = 'watch'")
    const [over] = await alertsUntil(
      'the budget is exceeded',
      ([first]) => (first?.budget?.spentCents ?? 0) > 5000,
    )
    expect(over?.id).toBe(alert.id)
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    await until('the next notification arrives', () => notifications.length === 2)
    expect(notifications[1]?.kind).toBe('agent')
    await owner.run("UPDATE cost_budgets SET spent_cents = 0 WHERE agent_name = 'watch'")
    await alertsUntil('the budget alert has ended', (alerts) =>
      alerts.every(({ kind }) => kind === 'crashed'),
    )
  })

  test('a mismatch has an alert until it is acknowledged', async () => {
    await owner.run("UPDATE audit_log SET detail = 'edited' WHERE id = 3")
    const [alert] = await alertsUntil('there is an alert', (alerts) => alerts.length === 1)
    expect(alert).toMatchObject({
      kind: 'mismatch',
      agent: 'reader',
      mismatch: { id: 3, rows: 1, aroundMatch: true },
    })
    await until('a notification arrives', () => notifications.length === 1)
    expect(notifications[0]).toMatchObject({ kind: 'audit', href: '/desk/agents/audit?around=3' })
    const row = async () => (await app.read<AuditPage>('/audit?trouble=true')).items[0]?.mismatch
    expect(await row()).toMatchObject({ alertId: alert?.id, seen: false })

    expect((await app.rita.send('POST', `/agents/alerts/${alert?.id}/seen`)).status).toBe(200)
    expect(await alertsUntil('the alert is gone', (alerts) => alerts.length === 0)).toEqual([])
    expect(await count()).toBe(0)
    expect(await row()).toMatchObject({ alertId: alert?.id, seen: true })
    expect((await app.read<AuditPage>('/audit')).summary.mismatches).toBe(1)
  })

  test('more than 20 mismatches share one alert, which reappears with each new mismatch', async () => {
    for (let n = 0; n < 21; n += 1) {
      await owner.run(
        "INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash) VALUES (?, 1, 'x', 'e', 'd', '0')",
        storedTime(),
      )
    }
    const [many] = await alertsUntil('they share one alert', (alerts) => alerts[0]?.mismatch?.rows === 21)
    await app.rita.send('POST', `/agents/alerts/${many?.id}/seen`)
    await alertsUntil('the alert is acknowledged', (alerts) => alerts.length === 0)
    await owner.run("UPDATE audit_log SET detail = 'edited' WHERE id = 2")
    const [again] = await alertsUntil('the alert is back', (alerts) => alerts[0]?.mismatch?.rows === 22)
    expect(again?.id).toBe(many?.id)
  })

  test('the most serious alerts come first', async () => {
    await owner.run("UPDATE cost_budgets SET spent_cents = 4100 WHERE agent_name = 'watch'")
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    await owner.run("UPDATE audit_log SET detail = 'edited' WHERE id = 3")
    const alerts = await alertsUntil('all alerts are listed', ({ length }) => length === 3)
    expect(alerts.map(({ kind }) => kind)).toEqual(['mismatch', 'crashed', 'budget'])
  })

  test('only mismatches can be acknowledged', async () => {
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    const [alert] = await alertsUntil('there is an alert', (alerts) => alerts.length === 1)
    const refused = await app.rita.send<{ code: string }>('POST', `/agents/alerts/${alert?.id}/seen`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(await app.rita.send('POST', '/agents/alerts/999999/seen')).toMatchObject({ status: 404 })
  })
})

test('many new alerts are combined into one notification', async () => {
  for (let n = 0; n < 6; n += 1) {
    await owner.run(
      "INSERT INTO agents VALUES (?, ?, NULL, NULL, 'running', NULL, '2026-01-01 00:00:00', '2026-01-01 00:00:00')",
      `i${n}`,
      `n${n}`,
    )
  }
  await owner.run("UPDATE agents SET status = 'crashed'")
  await alertsUntil('all alerts are listed', ({ length }) => length === 8)
  await until('a notification arrives', () => notifications.length > 0)
  expect(notifications).toHaveLength(1)
  expect(notifications[0]).toMatchObject({ href: '/desk/agents' })
  expect(notifications[0]?.text).toContain('8 alerts in the agent project')
})

test('an agent that runs the module of a revoked release has an alert', async () => {
  const id = await app.release({ name: 'late' }, 'approved', 'revoked')
  expect(id).toBeGreaterThan(0)
  mkdirSync(join(app.project.folder, 'modules'), { recursive: true })
  writeFileSync(join(app.project.folder, 'modules/late.wasm'), app.wasm)
  await owner.run("UPDATE agents SET source = 'modules/late.wasm' WHERE name = 'reader'")
  const [alert] = await alertsUntil('there is an alert', (alerts) => alerts.length === 1)
  expect(alert).toMatchObject({ kind: 'revoked', revoked: { release: { name: 'late', status: 'revoked' } } })
})

test('notifications are not repeated after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-notified-'))
  makeAgentProject(join(folder, 'project'), {
    fill: (database) => writeAgent(database, 'down', { status: 'crashed' }),
  })
  const notificationsOf = async (isDone: (texts: string[]) => boolean): Promise<string[]> => {
    const registry = await startTestRegistry({ folder, config: { workspace: join(folder, 'project') } })
    try {
      const texts: string[] = []
      registry.server.watchNews((news) => texts.push(...news.alerts.map(({ text }) => text)))
      const rita = await signIn(registry, 'rita')
      await until('the alert is listed', async () => {
        const { body } = await rita.get<AgentOverview>('/agents/overview')
        return body.alerts.length === 1 && isDone(texts)
      })
      return texts
    } finally {
      await registry.stop()
    }
  }
  try {
    expect(await notificationsOf(({ length }) => length > 0)).toEqual(['down crashed and is down.'])
    expect(await notificationsOf(() => true)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
