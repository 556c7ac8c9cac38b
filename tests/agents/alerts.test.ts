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
import { startDeskAgents, stored, writeAgent, writeAudit } from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: DeskAgents
let owner: AgentOwner
const heard: News['alerts'] = []
beforeAll(async () => {
  app = await startDeskAgents()
  app.server.watchNews((news) => heard.push(...newsSchema.parse(news).alerts))
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
  await alertsUntil('nothing is wrong', (alerts) => alerts.length === 0)
  heard.length = 0
})
afterEach(async () => {
  await owner.close()
  removeDatabase(app.project)
})

const alertsUntil = async (what: string, isIt: (alerts: AgentAlert[]) => boolean): Promise<AgentAlert[]> => {
  const overview = await app.readUntil<AgentOverview>(
    what,
    '/overview',
    ({ alerts, agents }) => agents !== null && isIt(alerts),
  )
  return overview.alerts
}
const count = async (): Promise<number> => (await app.read<AgentProject>('/project')).counts.alerts

describe('what needs a person', () => {
  test('an agent that crashed, with its last words, until it runs again', async () => {
    const hash = auditHash(9, 'reader', 'crashed', 'exit 134, out of memory')
    await owner.run(`INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash)
      VALUES ('2026-11-20 10:38:11', 9, 'reader', 'crashed', 'exit 134, out of memory', '${hash}')`)
    await owner.run(
      "UPDATE agents SET status = 'crashed', updated_at = '2026-11-20 10:38:11' WHERE name = 'reader'",
    )
    const [alert] = await alertsUntil('it is an alert', (alerts) => alerts.length === 1)
    expect(alert).toMatchObject({
      kind: 'crashed',
      agent: 'reader',
      since: '2026-11-20T10:38:11Z',
      crash: { lastWords: 'exit 134, out of memory' },
    })
    expect(await count()).toBe(1)
    await until('it is told', () => heard.length === 1)
    expect(heard).toEqual([
      { kind: 'agent', text: 'reader crashed and stays down.', href: '/desk/agents/agent?name=reader' },
    ])
    await owner.run("UPDATE agents SET status = 'running' WHERE name = 'reader'")
    await alertsUntil('it is over', (alerts) => alerts.length === 0)
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    await until('it is told anew', () => heard.length === 2)
  })

  test('a budget past its mark, once in its period', async () => {
    await owner.run("UPDATE cost_budgets SET spent_cents = 4100 WHERE agent_name = 'watch'")
    const [alert] = await alertsUntil('it is an alert', (alerts) => alerts.length === 1)
    if (alert === undefined) throw new Error('no alert')
    expect(alertText(alert)).toMatchObject({
      about: 'watch',
      title: 'is past the mark of its monthly budget: $41.00 of $50.00',
    })
    await until('it is told', () => heard.length === 1)
    await owner.run("UPDATE cost_budgets SET spent_cents = 5218 WHERE agent_name = 'watch'")
    const [over] = await alertsUntil('it is over', ([first]) => (first?.budget?.spentCents ?? 0) > 5000)
    expect(over?.id).toBe(alert.id)
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    await until('the next one is told', () => heard.length === 2)
    expect(heard[1]?.kind).toBe('agent')
    await owner.run("UPDATE cost_budgets SET spent_cents = 0 WHERE agent_name = 'watch'")
    await alertsUntil('the budget is over with', (alerts) => alerts.every(({ kind }) => kind === 'crashed'))
  })

  test('a row that does not match, until somebody has seen it', async () => {
    await owner.run("UPDATE audit_log SET detail = 'edited' WHERE id = 3")
    const [alert] = await alertsUntil('it is an alert', (alerts) => alerts.length === 1)
    expect(alert).toMatchObject({
      kind: 'mismatch',
      agent: 'reader',
      mismatch: { id: 3, rows: 1, aroundMatch: true },
    })
    await until('it is told', () => heard.length === 1)
    expect(heard[0]).toMatchObject({ kind: 'audit', href: '/desk/agents/audit?around=3' })
    const row = async () => (await app.read<AuditPage>('/audit?trouble=true')).items[0]?.mismatch
    expect(await row()).toMatchObject({ alertId: alert?.id, seen: false })

    expect((await app.rita.send('POST', `/agents/alerts/${alert?.id}/seen`)).status).toBe(200)
    expect(await alertsUntil('it is off the list', (alerts) => alerts.length === 0)).toEqual([])
    expect(await count()).toBe(0)
    expect(await row()).toMatchObject({ alertId: alert?.id, seen: true })
    expect((await app.read<AuditPage>('/audit')).summary.mismatches).toBe(1)
  })

  test('rows that do not match are one alert from the 21st on, which comes back with another one', async () => {
    for (let n = 0; n < 21; n += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await owner.run(
        "INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash) VALUES (?, 1, 'x', 'e', 'd', '0')",
        stored(),
      )
    }
    const [many] = await alertsUntil('they are one', (alerts) => alerts[0]?.mismatch?.rows === 21)
    await app.rita.send('POST', `/agents/alerts/${many?.id}/seen`)
    await alertsUntil('it is seen', (alerts) => alerts.length === 0)
    await owner.run("UPDATE audit_log SET detail = 'edited' WHERE id = 2")
    const [again] = await alertsUntil('it is back', (alerts) => alerts[0]?.mismatch?.rows === 22)
    expect(again?.id).toBe(many?.id)
  })

  test('the worst come first', async () => {
    await owner.run("UPDATE cost_budgets SET spent_cents = 4100 WHERE agent_name = 'watch'")
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    await owner.run("UPDATE audit_log SET detail = 'edited' WHERE id = 3")
    const alerts = await alertsUntil('all are there', ({ length }) => length === 3)
    expect(alerts.map(({ kind }) => kind)).toEqual(['mismatch', 'crashed', 'budget'])
  })

  test('only a mismatch can be marked as seen', async () => {
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'reader'")
    const [alert] = await alertsUntil('it is an alert', (alerts) => alerts.length === 1)
    const refused = await app.rita.send<{ code: string }>('POST', `/agents/alerts/${alert?.id}/seen`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(await app.rita.send('POST', '/agents/alerts/999999/seen')).toMatchObject({ status: 404 })
  })
})

test('many at once are one notification', async () => {
  for (let n = 0; n < 6; n += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await owner.run(
      "INSERT INTO agents VALUES (?, ?, NULL, NULL, 'running', NULL, '2026-01-01 00:00:00', '2026-01-01 00:00:00')",
      `i${n}`,
      `n${n}`,
    )
  }
  await owner.run("UPDATE agents SET status = 'crashed'")
  await alertsUntil('all are there', ({ length }) => length === 8)
  await until('they are told', () => heard.length > 0)
  expect(heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({ href: '/desk/agents' })
  expect(heard[0]?.text).toContain('8 alerts in the agent project')
})

test('an agent that runs a module of a revoked release needs a person', async () => {
  const id = await app.release({ name: 'late' }, 'approved', 'revoked')
  expect(id).toBeGreaterThan(0)
  mkdirSync(join(app.project.folder, 'modules'), { recursive: true })
  writeFileSync(join(app.project.folder, 'modules/late.wasm'), app.wasm)
  await owner.run("UPDATE agents SET source = 'modules/late.wasm' WHERE name = 'reader'")
  const [alert] = await alertsUntil('it is an alert', (alerts) => alerts.length === 1)
  expect(alert).toMatchObject({ kind: 'revoked', revoked: { release: { name: 'late', status: 'revoked' } } })
})

test('what was told before a stop is not told again after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-told-twice-'))
  makeAgentProject(join(folder, 'project'), {
    fill: (database) => writeAgent(database, 'down', { status: 'crashed' }),
  })
  const tellOnce = async (isTold: (texts: string[]) => boolean): Promise<string[]> => {
    const registry = await startTestRegistry({ folder, config: { workspace: join(folder, 'project') } })
    try {
      const texts: string[] = []
      registry.server.watchNews((news) => texts.push(...news.alerts.map(({ text }) => text)))
      const rita = await signIn(registry, 'rita')
      await until('the alert is known', async () => {
        const { body } = await rita.get<AgentOverview>('/agents/overview')
        return body.alerts.length === 1 && isTold(texts)
      })
      return texts
    } finally {
      await registry.stop()
    }
  }
  try {
    expect(await tellOnce(({ length }) => length > 0)).toEqual(['down crashed and stays down.'])
    expect(await tellOnce(() => true)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
