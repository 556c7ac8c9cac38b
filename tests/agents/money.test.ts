import type Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentBudget, AgentCost } from '../../src/shared/contracts/desk-agents-cost.ts'
import type { AgentOverview, AgentPage } from '../../src/shared/contracts/desk-agents.ts'
import { makeAgentProject, removeDatabase, withProject } from '../support/agents/agent-project.ts'
import { day, startDeskAgents, storedTime, writeAgent, writeCost } from '../support/agents/desk-agents.ts'
import type { CostWrite, DeskAgents } from '../support/agents/desk-agents.ts'

let app: DeskAgents
beforeAll(async () => {
  app = await startDeskAgents()
})
afterAll(() => app.stop())
beforeEach(() => removeDatabase(app.project))

const make = (...costs: CostWrite[]): void =>
  void makeAgentProject(app.project.folder, {
    fill: (database) => {
      for (const cost of costs) writeCost(database, cost)
    },
  })
const cost = (query = 'period=today'): Promise<AgentCost> => app.read<AgentCost>(`/cost?${query}`)
const midnight = (): number => Math.floor(Date.now() / day) * day
/** A time on a past day, in the format of the database. */
const dayAgo = (days: number, ms = 12 * 3_600_000): string =>
  new Date(midnight() - days * day + ms).toISOString()

describe('spending', () => {
  test('is the same in the overview, the costs and the agent’s page', async () => {
    make(
      { agent: 'a', cents: 150.25 },
      { agent: 'a', cents: 49.75, model: 'small' },
      { agent: 'b', cents: 1 },
    )
    withProject(app.project, (database) => writeAgent(database, 'a'))
    const spent = { cents: 201, calls: 3, unpriced: 0 }
    expect((await cost()).spent).toEqual(spent)
    expect((await app.read<AgentOverview>('/overview')).spent).toMatchObject({ today: spent })
    const own = { cents: 200, calls: 2, unpriced: 0 }
    expect((await cost('period=today&agent=a')).spent).toEqual(own)
    expect((await cost('period=today&by=agent')).groups).toMatchObject({
      items: [{ name: 'a', spend: own }, { name: 'b' }],
      total: 2,
    })
    expect((await app.read<AgentPage>('/agent?name=a')).agent).toMatchObject({
      spentToday: own,
      spentMonth: own,
    })
  })

  test('excludes unpriced calls from every sum, but counts them', async () => {
    make(
      { cents: null, model: 'local', tokens: [7, null] },
      { cents: 'much', model: 'local' },
      { cents: 10 },
      { cents: '2.5' },
    )
    const found = await cost()
    expect(found.spent).toEqual({ cents: 12.5, calls: 4, unpriced: 2 })
    expect(found.unpriced).toEqual({ calls: 2, tokensIn: 17, tokensOut: 5, models: ['local'] })
    expect(found.groups.items).toEqual([
      { name: 'large', spend: { cents: 12.5, calls: 2, unpriced: 0 }, tokensIn: 20, tokensOut: 10 },
      { name: 'local', spend: { cents: null, calls: 2, unpriced: 2 }, tokensIn: 17, tokensOut: 5 },
    ])
  })

  test('is 0 without calls, and unknown without a table of calls', async () => {
    make()
    expect((await cost()).spent).toEqual({ cents: 0, calls: 0, unpriced: 0 })
    withProject(app.project, (database) => database.exec('DROP TABLE cost_events'))
    expect(await cost()).toMatchObject({
      spent: null,
      chart: null,
      stamp: { missingTables: ['cost_events'] },
    })
    expect((await app.read<AgentOverview>('/overview')).spent).toBeNull()
  })

  test('belongs to days in UTC, and to no day if its time is invalid', async () => {
    make({ at: dayAgo(0, 0), cents: 1 }, { at: dayAgo(0, -1), cents: 2 }, { at: 'soon', cents: 4 })
    expect((await cost()).spent?.cents).toBe(1)
    const week = await cost('period=7 days')
    expect(week.spent?.cents).toBe(3)
    const yesterday = dayAgo(1).slice(0, 10)
    const range = await cost(`period=range&from=${yesterday}&to=${yesterday}`)
    expect(range.spent?.cents).toBe(2)
    expect(range.time.from).toBe(`${yesterday}T00:00:00.000Z`)
    expect(range.expected).toBeNull()
  })
})

describe('the chart', () => {
  test('shows four models and the rest combined, by hour for one day', async () => {
    make(...[50, 40, 30, 20, 10, 5].map((cents, n) => ({ cents, model: `m${n}`, at: dayAgo(0, 0) })))
    const { chart } = await cost()
    expect(chart?.bucket).toBe('hour')
    expect(chart?.buckets).toHaveLength(24)
    expect(chart?.series.map(({ name, others }) => (others ? 'others' : name))).toEqual([
      'm0',
      'm1',
      'm2',
      'm3',
      'others',
    ])
    expect(chart?.buckets[0]).toMatchObject({ cents: [50, 40, 30, 20, 15], spend: { cents: 155, calls: 6 } })
  })

  test('groups by agent and by day, and is unknown in buckets without prices', async () => {
    make({ agent: 'a', at: dayAgo(3), cents: null }, { agent: 'b', at: dayAgo(2), cents: 3 })
    const { chart } = await cost('period=7 days&by=agent')
    expect(chart).toMatchObject({ bucket: 'day', by: 'agent' })
    expect(chart?.buckets).toHaveLength(7)
    expect(chart?.series).toEqual([
      { name: 'b', others: false },
      { name: null, others: true },
    ])
    expect(chart?.buckets[3]?.cents).toEqual([0, null])
    expect(chart?.buckets[4]?.cents).toEqual([3, 0])
  })
})

describe('the forecast', () => {
  const steady = (days: number): CostWrite[] =>
    Array.from({ length: days }, (_, n) => n + 1).flatMap((ago) =>
      Array.from({ length: 24 }, (_, h) => ({ cents: 10, at: dayAgo(ago, h * 3_600_000) })),
    )

  test('is the spending so far plus the usual cost of the remaining hours', async () => {
    make(...steady(15))
    const { expected, chart } = await cost()
    expect(expected).toMatchObject({ days: 14, until: new Date(midnight() + day).toISOString() })
    const left = (midnight() + day - Date.now()) / day
    expect(expected?.cents).toBeGreaterThan(240 * left - 1)
    expect(expected?.cents).toBeLessThan(240 * left + 1)
    expect(expected?.highCents).toBeCloseTo(expected?.cents ?? 0, 3)
    const last = chart?.buckets.at(-1)
    expect(last?.expectedCents).toBeGreaterThan(0)
    expect(last?.expectedCents).toBeLessThanOrEqual(10)
  })

  test('is unknown with fewer than two whole days', async () => {
    make(...steady(2))
    expect((await cost()).expected).toBeNull()
    expect((await cost()).chart?.buckets.at(-1)?.expectedCents).toBeNull()
  })

  test.each(['paused', 'stopped', 'crashed'])('is null for an agent that is %s', async (status) => {
    make(...steady(15))
    withProject(app.project, (database) => writeAgent(database, 'alpha', { status }))
    const { agent } = await app.read<AgentPage>('/agent?name=alpha')
    expect(agent?.expectedToday).toBeNull()
    expect(agent?.chart?.buckets.at(-1)?.expectedCents).toBeNull()
    expect((await cost('period=today&agent=alpha')).expected).toBeNull()
    withProject(app.project, (database) => database.exec("UPDATE agents SET status = 'running'"))
    expect((await app.read<AgentPage>('/agent?name=alpha')).agent?.expectedToday).not.toBeNull()
    expect((await cost('period=today&agent=alpha')).expected).not.toBeNull()
  })
})

describe('budgets', () => {
  const budgets = (query = ''): Promise<{ items: AgentBudget[]; total: number }> =>
    app.read(`/budgets?${query}`)
  const write = (database: Sqlite.Database, values: unknown[]): void =>
    void database.prepare('INSERT INTO cost_budgets VALUES (?, ?, ?, ?, ?, ?, ?)').run(...values)

  test('are listed closest to their limit first, unknown ones last', async () => {
    make()
    withProject(app.project, (database) => {
      writeAgent(database, 'over', { status: 'paused' })
      write(database, ['below', 1000, 'day', 80, 'alert', 100, null])
      write(database, ['over', 5000, 'month', 80, 'pause', 5218, null])
      write(database, ['passed', 1000, 'week', 80, 'throttle', 800, null])
      write(database, ['strange', 'none', 'fortnight', 'soon', 'shout', 'x', 'never'])
    })
    const { items, total } = await budgets()
    expect(total).toBe(4)
    expect(items.map(({ agent, mark }) => [agent, mark])).toEqual([
      ['over', 'over'],
      ['passed', 'passed'],
      ['below', 'below'],
      ['strange', 'unknown'],
    ])
    expect(items[0]).toMatchObject({ state: 'paused', expectedCents: null, usedPercent: 104.36 })
    expect(items[3]).toMatchObject({
      state: null,
      budgetCents: null,
      spentCents: null,
      startsAt: null,
      endsAt: null,
      alertAt: null,
    })
    expect((await budgets('marked=true')).total).toBe(2)
    expect((await budgets('agent=below')).items).toMatchObject([{ agent: 'below' }])
  })

  test('start at their last reset, or by the calendar if that is in an earlier period', async () => {
    make()
    const reset = dayAgo(0, -3_600_000)
    withProject(app.project, (database) => {
      write(database, ['a', 1, 'day', 80, 'alert', 0, reset])
      write(database, ['b', 1, 'day', 80, 'alert', 0, '2020-01-01 00:00:00'])
      write(database, ['c', 1, 'week', 80, 'alert', 0, null])
    })
    const { items } = await budgets()
    const byAgent = new Map(items.map((item) => [item.agent, item]))
    const isStillRunning = Date.now() < Date.parse(reset) + day
    const starts = isStillRunning ? Date.parse(reset) : midnight()
    expect(byAgent.get('a')).toMatchObject({
      startsAt: new Date(starts).toISOString(),
      endsAt: new Date(starts + day).toISOString(),
    })
    expect(byAgent.get('b')?.startsAt).toBe(new Date(midnight()).toISOString())
    expect(new Date(byAgent.get('c')?.startsAt ?? 0).getUTCDay()).toBe(1)
  })

  test('forecast the agent’s daily spending for the rest of the period', async () => {
    make(...Array.from({ length: 15 }, (_, n) => ({ agent: 'a', cents: 240, at: dayAgo(n + 1) })))
    withProject(app.project, (database) => {
      writeAgent(database, 'a')
      write(database, ['a', 100_000, 'day', 80, 'alert', 50, null])
    })
    const [budget] = (await budgets()).items
    const left = (midnight() + day - Date.now()) / day
    expect(budget?.expectedCents).toBeGreaterThan(50 + 240 * left - 2)
    expect(budget?.expectedCents).toBeLessThan(50 + 240 * left + 2)
  })

  test('are scaled to the period shown when added up', async () => {
    make()
    withProject(app.project, (database) => {
      write(database, ['a', 100, 'day', 80, 'alert', 0, null])
      write(database, ['b', 700, 'week', 80, 'alert', 0, null])
      write(database, ['c', 'unknown', 'month', 80, 'alert', 0, null])
    })
    expect((await cost('period=7 days')).budgetsCents).toBe(1400)
    expect((await cost('period=7 days&agent=b')).budgetsCents).toBe(700)
    expect((await cost('period=7 days&agent=c')).budgetsCents).toBeNull()
  })
})

test('cost events are listed newest first, 200 per page', async () => {
  make(
    ...Array.from({ length: 250 }, (_, n) => ({
      cents: n,
      agent: n % 2 === 0 ? 'a' : 'b',
      at: storedTime(),
    })),
  )
  const first = await app.read<{ items: { cents: number }[]; total: number }>('/cost-events?period=today')
  expect(first.total).toBe(250)
  expect(first.items.map(({ cents }) => cents)).toEqual(Array.from({ length: 200 }, (_, n) => 249 - n))
  const rest = await app.read<{ items: { cents: number }[] }>('/cost-events?period=today&offset=200&agent=a')
  expect(rest.items).toEqual([])
  const own = await app.read<{ items: unknown[]; total: number }>('/cost-events?period=today&agent=a')
  expect(own).toMatchObject({ total: 125, items: { length: 125 } })
})
