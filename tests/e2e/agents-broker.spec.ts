import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type Sqlite from 'better-sqlite3'
import { startOwner } from '../support/agents/agent-owner.ts'
import { showFilled } from '../support/agents/agents-browser.ts'
import { day, storedTime } from '../support/agents/desk-agents.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import type { Opener } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const insertRoute =
  'INSERT INTO broker_routes (task, handler, handler_type, cost_cents, latency_ms, created_at) VALUES (?, ?, ?, ?, ?, ?)'

function writeRoute(
  database: Sqlite.Database,
  route: { handler: string; type: string; cents: number; ms: number; at?: string; task?: string },
): void {
  const { handler, type, cents, ms, at = storedTime(), task = `ask ${handler}` } = route
  database.prepare(insertRoute).run(task, handler, type, cents, ms, at)
}

/** Ten routes of three types today, and a slow one five days ago. */
function fill(database: Sqlite.Database): void {
  for (let n = 0; n < 6; n += 1)
    writeRoute(database, { handler: 'hex-dump', type: 'skill', cents: 0, ms: 10 + n })
  for (let n = 0; n < 2; n += 1) writeRoute(database, { handler: 'crc32', type: 'wasm', cents: 0, ms: 3 })
  writeRoute(database, { handler: 'large', type: 'llm', cents: 4, ms: 900 })
  writeRoute(database, { handler: 'large', type: 'llm', cents: 2, ms: 2100 })
  writeRoute(database, { handler: 'oracle', type: 'dream', cents: 1, ms: 12_500, at: storedTime(-5 * day) })
  const skill = database.prepare('INSERT INTO skills VALUES (?, ?, ?, ?, ?, ?)')
  skill.run('hex-dump', '1.0.0', 'registry', 'skills/hex-dump.wasm', 'Shows bytes', storedTime(-day))
  skill.run('unix-time', '1.0.1', null, null, null, storedTime(-day))
}

const figure = (page: Page, label: string | RegExp) =>
  page.locator('[data-figure]').filter({ has: page.locator('dt', { hasText: label }) })
const rowsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('[data-row-index]')
const handlers = (page: Page) => page.getByRole('region', { name: 'Routes by handler' }).getByRole('row')

async function openBroker(desk: Opener, search = ''): Promise<Page> {
  const page = await desk.open('ilse', { at: `/agents/broker${search}` })
  await expect(figure(page, /^Routes/)).toBeVisible()
  return page
}

test.describe('with eleven routes', () => {
  const shared = shareDesk((desk) => showFilled(desk, fill))

  test('routes are listed by handler, with their latency, the savings and the assumption behind them', async () => {
    const page = await openBroker(shared)
    await expect(figure(page, 'Routes today')).toContainText('10')
    await expect(figure(page, 'Routes today')).toContainText('60% skill, 20% WASM and 20% LLM')
    await expect(figure(page, 'Cost')).toContainText('$0.06')
    await expect(figure(page, 'Saved vs. all-LLM')).toContainText('$0.24')
    await expect(figure(page, 'Saved vs. all-LLM')).toContainText(
      '$0.30 if every route cost $0.03, the mean of 2 LLM routes',
    )
    await expect(figure(page, 'Latency')).toContainText('p95 2,100 ms')
    await expect(figure(page, 'Latency')).toContainText('p50 12 ms')
    await expect(handlers(page).filter({ hasText: 'hex-dump' })).toHaveText('hex-dumpskill6$0.0012 ms15 ms')
    await expect(handlers(page).filter({ hasText: 'large' })).toHaveText('largeLLM2$0.06900 ms2,100 ms')

    const skills = rowsOf(page, 'Skills')
    await expect(skills.nth(0)).toContainText(/hex-dump1\.0\.0registry.*6/)
    await expect(skills.nth(1)).toContainText(/unix-time1\.0\.1unknownunknown0/)

    await page.getByRole('link', { name: '7 days' }).click()
    await expect(figure(page, 'Routes in the last 7 days')).toContainText('9% other')
    await expect(handlers(page).filter({ hasText: 'oracle' })).toContainText('12.5 s')
  })

  test('the arrow keys move through both charts, and their tables show the same values', async () => {
    const page = await openBroker(shared, '?period=7+days')
    const routes = page.getByRole('figure', { name: /^Routes by day/ })
    await routes.getByRole('slider').focus()
    await page.keyboard.press('End')
    await expect(routes.getByRole('slider')).toHaveAttribute(
      'aria-valuetext',
      /total 10 routes, skill 6 routes, WASM 2 routes, LLM 2 routes$/,
    )
    const latency = page.getByRole('figure', { name: /^Latency by day/ })
    await latency.getByRole('slider').focus()
    await page.keyboard.press('End')
    await expect(latency.getByRole('slider')).toHaveAttribute('aria-valuetext', /p50 12 ms, p95 2,100 ms$/)
    await page.keyboard.press('ArrowLeft')
    await expect(latency.getByRole('slider')).toHaveAttribute('aria-valuetext', /p50 unknown, p95 unknown$/)
    await latency.getByRole('button', { name: 'Show as table' }).click()
    const rows = latency.getByRole('table').getByRole('row')
    await expect(rows).toHaveCount(8)
    await expect(rows.last()).toContainText('12 ms2,100 ms')
    await expect(rows.nth(1)).toContainText('unknownunknown')
  })

  test('routes are filtered by type and handler in the address, and the export has the rows shown', async () => {
    const page = await openBroker(shared)
    const routes = rowsOf(page, 'Routes')
    await expect(routes).toHaveCount(10)
    const types = page.getByRole('navigation', { name: 'Handler type' })
    await types.getByRole('link', { name: 'WASM' }).click()
    await expect(routes).toHaveCount(2)
    await handlers(page).getByRole('link', { name: 'large' }).click()
    await expect(routes).toHaveCount(2)
    await expect(routes.first()).toContainText('ask largelargeLLM2,100 ms$0.02')
    await expect(page).toHaveURL(/broker\?type=llm&handler=large$/)
    await page.reload()
    await expect(routes).toHaveCount(2)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'export routes as CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    const lines = csv.trim().split('\r\n')
    expect(lines[0]).toBe('time,task,handler,type,cents,"latency, ms",id')
    expect(lines.slice(1).map((line) => line.split(',').slice(2, 6))).toEqual([
      ['large', 'llm', '2', '2100'],
      ['large', 'llm', '4', '900'],
    ])

    await page.getByRole('link', { name: 'All handlers' }).click()
    await types.getByRole('link', { name: 'Other' }).click()
    await expect(page.getByText('No routes for other in this period')).toBeVisible()
    await page.getByRole('link', { name: 'Show all routes' }).click()
    await expect(routes).toHaveCount(10)
  })

  test('axe finds nothing in the broker, in light and dark', async () => {
    test.slow()
    const page = await openBroker(shared, '?period=7+days&handler=large')
    await expect(rowsOf(page, 'Routes')).toHaveCount(2)
    const found = await violations(page, 'broker')
    await page.getByRole('button', { name: 'Show as table' }).first().click()
    await page.getByRole('link', { name: 'Range…' }).click()
    await expect(page.getByLabel('First day')).toBeVisible()
    found.push(...(await violations(page, 'broker as a table')))
    expect(found).toEqual([])
  })
})

test('a new route counts within two seconds, and no row moves until the user shows it', async ({ desk }) => {
  const project = await showFilled(desk, fill)
  const owner = await startOwner(project)
  try {
    const page = await openBroker(desk, '?period=hour')
    const routes = rowsOf(page, 'Routes')
    await expect(routes).toHaveCount(10)
    await owner.run(insertRoute, 'count words', 'word-count', 'skill', 0, 5, storedTime())
    await expect(figure(page, 'Routes in the last hour')).toContainText('11')
    await expect(routes).toHaveCount(10)
    await page.getByRole('button', { name: /1 new route/ }).click()
    await expect(routes).toHaveCount(11)
    await expect(routes.first()).toContainText('count words')
  } finally {
    await owner.close()
  }
})

test('without routes the view says whether there were no routes or the table is missing', async ({
  desk,
}) => {
  const project = await showFilled(desk, () => {})
  const page = await openBroker(desk)
  await expect(figure(page, 'Routes today')).toContainText('no routes')
  await expect(figure(page, 'Saved vs. all-LLM')).toContainText('unknown')
  await expect(page.getByText('No routes in this period')).toBeVisible()
  await expect(page.getByText('No skills in this project')).toBeVisible()
  const owner = await startOwner(project)
  try {
    await owner.run('DROP TABLE broker_routes')
    await expect(figure(page, 'Routes today')).toContainText('the database has no table broker_routes')
    await expect(page.locator('[data-figure]').filter({ hasText: 'unknown' })).toHaveCount(4)
  } finally {
    await owner.close()
  }
})

test('the address has the scroll position in ten thousand routes', async ({ desk }) => {
  await showFilled(desk, (database) => {
    for (let n = 0; n < 10_000; n += 1) {
      const at = storedTime(-3 * day + n * 10)
      writeRoute(database, {
        handler: `handler-${n % 70}`,
        type: 'skill',
        cents: 0,
        ms: 5,
        task: `task ${n}`,
        at,
      })
    }
  })
  const page = await openBroker(desk, '?period=7+days&row=7000')
  await expect(rowsOf(page, 'Routes').filter({ hasText: 'task 2998' })).toBeInViewport()
  await expect(page.getByText('20 more handlers')).toBeAttached()
  await expect.poll(() => page.locator('[data-row-index]').count()).toBeLessThan(60)
})
