import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type Sqlite from 'better-sqlite3'
import type { CostEvent } from '../../src/shared/contracts/desk-agents-cost.ts'
import { withProject } from '../support/agents/agent-project.ts'
import { startOwner } from '../support/agents/agent-owner.ts'
import { showFilled } from '../support/agents/agents-browser.ts'
import { day, hour, storedTime, writeAgent, writeCost } from '../support/agents/desk-agents.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import type { Opener } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

function writeBudget(
  database: Sqlite.Database,
  agent: string,
  budget: { cents: number; spent: number | null; action: string; period?: string },
): void {
  const { cents, spent, action, period = 'month' } = budget
  database
    .prepare('INSERT INTO cost_budgets VALUES (?, ?, ?, 80, ?, ?, NULL)')
    .run(agent, cents, period, action, spent)
}

/** Four agents with different budgets; calls of the last six days and of today, one of them unpriced. */
function fill(database: Sqlite.Database): void {
  for (const name of ['mail-sorter', 'report-builder', 'web-digest']) writeAgent(database, name)
  writeAgent(database, 'price-watch', { status: 'paused' })
  for (let ago = 6; ago > 0; ago -= 1) {
    writeCost(database, { agent: 'report-builder', cents: 1000, at: storedTime(-ago * day) })
  }
  writeCost(database, { agent: 'mail-sorter', cents: 250, tokens: [1_200_000, 300_000] })
  writeCost(database, { agent: 'web-digest', cents: null, model: 'qwen3-14b', tokens: [900, 100] })
  writeCost(database, { agent: 'price-watch', cents: 125, model: 'small', tokens: [400_000, 40_000] })
  writeBudget(database, 'web-digest', { cents: 8000, spent: null, action: 'alert' })
  writeBudget(database, 'mail-sorter', { cents: 6000, spent: 3102, action: 'throttle', period: 'week' })
  writeBudget(database, 'report-builder', { cents: 40_000, spent: 39_990, action: 'alert' })
  writeBudget(database, 'price-watch', { cents: 5000, spent: 5218, action: 'pause' })
}

const figure = (page: Page, label: string | RegExp) =>
  page.locator('[data-figure]').filter({ has: page.locator('dt', { hasText: label }) })
const spendRow = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^Spend by/ })
    .getByRole('row')
    .filter({ hasText: name })
const rowsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('[data-row-index]')

async function openCost(desk: Opener, search = ''): Promise<Page> {
  const page = await desk.open('ilse', { at: `/agents/cost${search}` })
  await expect(figure(page, /^Spent/)).toBeVisible()
  return page
}

async function download(page: Page, name: string): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  return readFile(await (await downloading).path(), 'utf8')
}

test.describe('with four agents', () => {
  const shared = shareDesk((desk) => showFilled(desk, fill))

  test('spend is grouped by model or by agent, and unpriced calls are unknown, never $0', async () => {
    const page = await openCost(shared, '?period=today')
    await expect(figure(page, 'Spent today')).toContainText('$3.75')
    await expect(figure(page, 'Spent today')).toContainText('2 priced calls')
    await expect(figure(page, 'Forecast by midnight UTC')).toContainText(
      /between \$[\d.]+ and \$[\d.]+, based on \d days/,
    )
    await expect(figure(page, 'Total budget')).toContainText('all budgets, scaled to 1 day')
    await expect(figure(page, 'Unpriced')).toContainText('1 call')
    await expect(figure(page, 'Unpriced')).toContainText('1,000 tokens of qwen3-14b; not in the total')

    await expect(spendRow(page, 'large')).toHaveText('large101.2M0.3M$2.50')
    await expect(spendRow(page, 'qwen3-14b')).toHaveText('qwen3-14b11<0.1M<0.1Munknown')
    await expect(spendRow(page, 'Total')).toContainText('$3.75')
    await page.getByRole('navigation', { name: 'Group by' }).getByRole('link', { name: 'Agent' }).click()
    await expect(spendRow(page, 'web-digest')).toContainText('unknown')
    await expect(spendRow(page, 'price-watch')).toContainText('$1.25')
    await expect(page).toHaveURL(/period=today&by=agent$/)

    const unpriced = rowsOf(page, 'Calls').filter({ hasText: 'qwen3-14b' })
    await expect(unpriced).toContainText('unknown')
    await expect(unpriced).not.toContainText('$')
  })

  test('budgets closest to their limit come first, each with its bar, alert threshold and forecast', async () => {
    const page = await openCost(shared)
    const rows = rowsOf(page, 'Budgets')
    await expect(rows).toHaveCount(4)
    await expect(rows.locator('[data-column="agent"]')).toHaveText([
      'price-watch',
      'report-builder',
      'mail-sorter',
      'web-digest',
    ])
    const [over, reached, below, unknown] = [rows.nth(0), rows.nth(1), rows.nth(2), rows.nth(3)]
    await expect(over).toContainText('$52.18 of $50.00')
    await expect(over.getByRole('img', { name: 'over its budget' })).toBeVisible()
    await expect(over.locator('[data-column="forecast"]')).toHaveText('paused')
    await expect(reached.getByRole('img', { name: 'reached its alert threshold of 80%' })).toBeVisible()
    await expect(reached.locator('[data-column="used"]')).toHaveText('99%')
    await expect(reached.getByRole('img', { name: 'forecast to exceed its budget' })).toBeVisible()
    await expect(below.getByRole('img', { name: '51% used, alert threshold 80%' })).toBeVisible()
    await expect(unknown).toContainText('unknown of $80.00')
    await expect(unknown.getByRole('img', { name: 'usage unknown, alert threshold 80%' })).toBeVisible()

    await page.getByRole('link', { name: 'Alert threshold reached' }).click()
    await expect(rows).toHaveCount(2)
    await expect(page).toHaveURL(/cost\?marked=true$/)
    await rows.nth(0).getByRole('link', { name: 'price-watch' }).click()
    await expect(page).toHaveURL(/agents\/agent\?name=price-watch$/)
    await page.goBack()
    await expect(rows).toHaveCount(2)
  })

  test('period and agent are in the address, Back restores them, and the exports have the rows shown', async () => {
    const page = await openCost(shared, '?period=today')
    await expect(rowsOf(page, 'Calls')).toHaveCount(3)
    await page.getByRole('link', { name: '7 days' }).click()
    await expect(figure(page, 'Spent in the last 7 days')).toContainText('$63.75')
    const picker = page.getByRole('combobox', { name: 'Agent' })
    await picker.fill('report')
    // The options move while the others are removed.
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.getByRole('option', { name: 'report-builder' }).click()
    await expect(picker).toBeFocused()
    await expect(figure(page, 'Spent in the last 7 days')).toContainText('$60.00')
    await expect(rowsOf(page, 'Calls')).toHaveCount(6)
    await expect(rowsOf(page, 'Budgets')).toHaveCount(1)
    await expect(page).toHaveURL(/cost\?period=7\+days&agent=report-builder$/)
    await page.reload()
    await expect(picker).toHaveValue('report-builder')
    await expect(rowsOf(page, 'Calls')).toHaveCount(6)

    const spend = await download(page, 'Export spend as CSV')
    expect(spend.split('\r\n')[0]).toBe('from,to,model,calls,unpriced calls,cents,tokens in,tokens out')
    expect(
      spend
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[5]),
    ).toEqual(Array(6).fill('1000'))
    const calls = JSON.parse(await download(page, 'Export calls as JSON')) as CostEvent[]
    expect(calls.map(({ agent, cents }) => `${agent} ${cents}`)).toEqual(Array(6).fill('report-builder 1000'))
    const budgets = await download(page, 'Export budgets as CSV')
    expect(budgets.trim().split('\r\n')).toHaveLength(2)

    await page.goBack()
    await expect(page).toHaveURL(/cost\?period=today$/)
    await expect(rowsOf(page, 'Calls')).toHaveCount(3)
    await expect(picker).toHaveValue('')
  })

  test('a range of days can be picked, and one without calls says so', async () => {
    const page = await openCost(shared)
    await page.getByRole('link', { name: 'Range…' }).click()
    const dayOf = (ms: number): string => storedTime(ms).slice(0, 10)
    await expect(page).toHaveURL(new RegExp(`period=range&from=${dayOf(-6 * day)}&to=${dayOf(0)}$`))
    await page.getByLabel('First day').fill(dayOf(-5 * day))
    await page.getByLabel('Last day').fill(dayOf(-4 * day))
    await expect(figure(page, /^Spent/)).toContainText('$20.00')
    await expect(figure(page, /^Forecast/)).toContainText('this period is over')
    await page.getByLabel('First day').fill('2020-02-01')
    await page.getByLabel('Last day').fill('2020-02-02')
    await expect(figure(page, 'Spent from 1 Feb 2020 to 2 Feb 2020')).toContainText('$0.00')
    await expect(page.getByText('No calls in this period', { exact: true })).toBeVisible()
  })

  test('the arrow keys move through the chart, and its table shows the same values', async () => {
    const page = await openCost(shared, '?period=7+days')
    const chart = page.getByRole('figure', { name: 'Spend by day and model (UTC)' })
    const values = chart.getByRole('slider')
    await values.focus()
    await page.keyboard.press('Home')
    await expect(values).toHaveAttribute('aria-valuetext', /large \$10\.00/)
    await page.keyboard.press('End')
    await expect(values).toHaveAttribute('aria-valuetext', /total \$3\.75.*large \$2\.50.*others unknown/)
    await chart.getByRole('button', { name: 'Show as table' }).click()
    const rows = chart.getByRole('table').getByRole('row')
    await expect(rows).toHaveCount(8)
    await expect(rows.nth(1)).toContainText('$10.00')
    await expect(rows.last()).toContainText('unknown')
  })

  test('axe finds nothing in the cost, in light and dark', async () => {
    test.slow()
    const page = await openCost(shared, '?period=7+days')
    await expect(rowsOf(page, 'Calls')).toHaveCount(9)
    const found = await violations(page, 'cost')
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('link', { name: 'Range…' }).click()
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'mail-sorter' }).waitFor()
    found.push(...(await violations(page, 'cost as a table, agents offered')))
    await goInDesk(page, 'agents/cost?agent=nobody&marked=true')
    await page.getByText('No calls by nobody in this period').waitFor()
    found.push(...(await violations(page, 'cost of an unknown agent')))
    expect(found).toEqual([])
  })
})

test('a new call counts within two seconds, and its row appears on request', async ({ desk }) => {
  const project = await showFilled(desk, fill)
  const owner = await startOwner(project)
  try {
    const page = await openCost(desk, '?period=today')
    await expect(rowsOf(page, 'Calls')).toHaveCount(3)
    const insert = (cents: number) =>
      owner.run(
        `INSERT INTO cost_events (agent_name, amount_cents, model, tokens_in, tokens_out, created_at)
         VALUES ('mail-sorter', ?, 'large', 7, 7, ?)`,
        cents,
        storedTime(),
      )
    await insert(1000)
    await expect(figure(page, 'Spent today')).toContainText('$13.75')
    await expect(spendRow(page, 'large')).toContainText('$12.50')
    await expect(rowsOf(page, 'Calls')).toHaveCount(3)
    await expect(page.getByRole('button', { name: /1 new call/ })).toBeVisible()
    await page.keyboard.press('.')
    await expect(rowsOf(page, 'Calls')).toHaveCount(4)
    await expect(rowsOf(page, 'Calls').first()).toContainText('$10.00')

    await page.keyboard.press('p')
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await insert(2000)
    await expect(page.getByText('paused; newer data available')).toBeVisible()
    await expect(figure(page, 'Spent today')).toContainText('$13.75')
    await page.keyboard.press('p')
    await expect(figure(page, 'Spent today')).toContainText('$33.75')
  } finally {
    await owner.close()
  }
})

test('of ten thousand budgets and calls only the visible ones are read, and the address has the scroll position', async ({
  desk,
}) => {
  const project = await showFilled(desk, (database) => {
    for (let n = 0; n < 10_000; n += 1) {
      const agent = `agent-${String(n).padStart(5, '0')}`
      writeBudget(database, agent, { cents: 10_000, spent: 9999 - n, action: 'alert' })
      writeCost(database, { agent, cents: 1, at: storedTime(-6 * day + n * 10) })
    }
  })
  const page = await openCost(desk, '?period=7+days')
  await expect(page.getByRole('table', { name: 'Budgets' })).toHaveAttribute('aria-rowcount', '10001')
  const calls = page.getByRole('table', { name: 'Calls' })
  await expect(calls).toHaveAttribute('aria-rowcount', '10001')
  withProject(project, (database) => {
    for (let n = 0; n < 5; n += 1) writeCost(database, { agent: 'latest' })
  })
  await expect(page.getByRole('button', { name: /5 new calls/ })).toBeVisible()
  await calls.evaluate((element) => element.scrollTo({ top: 28 * 195 }))
  await expect(page.getByRole('row', { name: 'agent-09800' })).toHaveAttribute('data-row-index', '199')
  await expect(page.getByRole('row', { name: 'agent-09799' })).toHaveAttribute('data-row-index', '200')
  await expect(page).toHaveURL(/row=\d+/)
  const previous = page.url()
  await calls.evaluate((element) => element.scrollTo({ top: 28 * 5000 }))
  await expect(rowsOf(page, 'Calls').filter({ hasText: 'agent-04995' })).toBeVisible()
  await expect.poll(() => page.locator('[data-row-index]').count()).toBeLessThan(100)
  // The address is updated when scrolling stops.
  await expect(page).not.toHaveURL(previous)
  await expect(page).toHaveURL(/row=\d+/)
  // The project may be known later than the rows.
  const gate = Promise.withResolvers<void>()
  await page.route('**/desk/api/agents/project', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.reload()
  const row = rowsOf(page, 'Calls').filter({ hasText: 'agent-04995' })
  await expect(row).toHaveCount(1)
  gate.resolve()
  await expect(page.getByText(/data\/nexus\.db, \d/)).toBeVisible()
  await expect(row).toBeInViewport()
})

test('without its tables the cost is unknown, and the view says why', async ({ desk }) => {
  await showFilled(desk, (database) => {
    writeAgent(database, 'alpha', { updated: storedTime(-hour) })
    database.exec('DROP TABLE cost_events; DROP TABLE cost_budgets')
  })
  const page = await openCost(desk)
  await expect(page.locator('[data-figure]').filter({ hasText: 'unknown' })).toHaveCount(4)
  await expect(figure(page, /^Spent/)).toContainText('the database has no table cost_events')
  await expect(page.getByText('$0')).toHaveCount(0)
})
