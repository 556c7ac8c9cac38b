import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import {
  agentProject,
  auditHash,
  fillLargely,
  makeAgentProject,
  withProject,
} from '../support/agents/agent-project.ts'
import type { AgentProject } from '../support/agents/agent-project.ts'
import { expect, openAgents, showProject, test } from '../support/agents/agents-browser.ts'
import { shareDesk } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
// Each worker would fill a database for itself.
test.describe.configure({ mode: 'default' })

const rows = 120_000

let filled: AgentProject
test.beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-audit-rows-'))
  filled = makeAgentProject(folder, {
    journal: 'delete',
    fill: (database) => {
      fillLargely(database, { agents: 40, audit: rows, routes: 0 })
      database.exec(`
        UPDATE audit_log SET detail = 'edited' WHERE id IN (60150, 119990);
        DELETE FROM audit_log WHERE id BETWEEN 119971 AND 119976`)
      database
        .prepare("UPDATE audit_log SET event_type = 'tool.call', content_hash = ? WHERE id = 50007")
        .run(auditHash(50_007, 'agent-00007', 'tool.call', '{"step":50007,"result":"ok","took":180}'))
    },
  })
})
test.afterAll(() => rmSync(filled.folder, { recursive: true, force: true }))

/** What is in the audit after those six were deleted. */
const kept = rows - 6

function place(project: AgentProject, source = filled): void {
  mkdirSync(dirname(project.file), { recursive: true })
  cpSync(agentProject(source.folder).file, project.file)
  withProject(project, (database) => database.pragma('journal_mode = wal'))
}

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Audit' })
const row = (page: Page, id: number): Locator => grid(page).locator(`[data-row-id="${id}"]`)

/** How far a row stands below the table's upper edge. */
const topOf = async (page: Page, id: number): Promise<number> => {
  const [table, one] = await Promise.all([grid(page).boundingBox(), row(page, id).boundingBox()])
  return Math.round((one?.y ?? Number.NaN) - (table?.y ?? 0))
}

test.describe('with nobody writing', () => {
  const shared = shareDesk((desk) => showProject(desk, filled.folder))

  test('a hundred thousand rows are scrolled from the newest to the oldest, with their real number and no jump', async () => {
    const page = await openAgents(shared, '/audit')
    await expect(row(page, rows)).toBeVisible()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(kept + 1))
    await expect(row(page, rows)).toHaveAttribute('aria-rowindex', '2')
    expect(await grid(page).getByRole('row').count()).toBeLessThan(60)

    // By keys to the very end and back.
    await grid(page).focus()
    await page.keyboard.press('End')
    await expect(row(page, 1)).toBeInViewport()
    await expect(row(page, 1)).toHaveAttribute('aria-rowindex', String(kept + 1))
    await page.keyboard.press('Home')
    await expect(row(page, rows)).toBeInViewport()

    // By the bar to the middle.
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2
    })
    const readMiddle = async (): Promise<number> =>
      Number(await grid(page).locator('[data-row-id]').nth(20).getAttribute('data-row-id', { timeout: 1000 }))
    await expect.poll(readMiddle).toBeLessThan(61_000)
    const id = await readMiddle()
    expect(id).toBeGreaterThan(59_000)
    await expect(row(page, id)).toHaveAttribute('aria-rowindex', String(rows - 6 - id + 2))

    // By the wheel, pixel for pixel.
    const before = await topOf(page, id)
    await grid(page).hover()
    await page.mouse.wheel(0, 120)
    await expect.poll(() => topOf(page, id)).toBe(before - 120)
  })

  test('what becomes known about rows above leaves those in sight where they are', async () => {
    const page = await shared.open('ilse')
    // The page of rows above, one of which does not match and is higher, comes after those in sight.
    const gate = Promise.withResolvers<null>()
    let held = 0
    await page.route(/agents\/audit\?offset=/, async (route) => {
      held += 1
      await gate.promise
      await route.continue()
    })
    await goInDesk(page, 'agents/audit?around=60010')
    await expect(row(page, 60_010)).toBeVisible()
    await expect.poll(() => held).toBeGreaterThan(0)
    const before = await topOf(page, 60_010)
    expect(before).toBe(29)
    gate.resolve(null)
    await grid(page).hover()
    await page.mouse.wheel(0, -28)
    await expect.poll(() => topOf(page, 60_010)).toBe(before + 28)
    await page.mouse.wheel(0, -28 * 150)
    await expect(row(page, 60_150)).toContainText('does not match')
    await expect(row(page, 60_160)).toBeVisible()
  })

  test('missing rows are told in words where they are missing, and can be listed with the mismatches alone', async () => {
    const page = await openAgents(shared, '/audit')
    await expect(grid(page)).toContainText('Rows 119,971 to 119,976 are missing between')
    await page.getByRole('button', { name: 'Mismatches and gaps 3' }).click()
    await expect(page).toHaveURL(/trouble=true/)
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '4')
    await expect(grid(page).locator('[data-row-id]')).toHaveCount(3)
    await expect(row(page, 119_977)).toContainText('are missing')
  })

  test('a text is searched for part by part; the search can be cancelled and goes on', async () => {
    const page = await openAgents(shared, '/audit')
    await expect(row(page, rows)).toBeVisible()
    await page.keyboard.press('/')
    const field = page.getByRole('searchbox', { name: 'Detail, agent or event' })
    await expect(field).toBeFocused()
    await field.fill('"step":777,')
    await expect(page).toHaveURL(/q=/)
    await expect(row(page, 777)).toBeVisible()
    await expect(page.getByText(/^1 row found in the whole audit, as of/)).toBeVisible()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')

    // Many rows: the search rests where there are enough, and goes on as one scrolls.
    await field.fill('"took":5')
    await expect(page.getByText('200 rows found, down to row')).toBeVisible()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '-1')
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expect(page.getByText('400 rows found, down to row')).toBeVisible()

    // One that fails says so, and goes on from there when asked.
    await page.route(/before=/, (route) => route.abort())
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expect(
      page.getByText(/^The search has stopped: 400 rows found in \d+ % of the audit, down to/),
    ).toBeVisible()
    await page.unroute(/before=/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('600 rows found, down to row')).toBeVisible()

    // One that does not come back is cancelled, and nothing is left of it.
    let aborted = 0
    page.on('requestfailed', (request) => {
      if (request.url().includes('q=nowhere')) aborted += 1
    })
    await page.route(/q=nowhere/, () => {})
    await field.fill('nowhere')
    await expect(page.getByText('Searching: 0 rows found')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Cancelled: 0 rows found')).toBeVisible()
    await expect.poll(() => aborted).toBe(1)
    await page.unroute(/q=nowhere/)
    await page.getByRole('button', { name: 'Search on' }).click()
    await expect(page.getByText('No row for this filter')).toBeVisible()
    await page.getByRole('link', { name: 'Drop “nowhere”' }).click()
    await expect(row(page, rows)).toBeVisible()
  })

  test('rows are filtered by agent, event and time, and the export holds what the filter finds', async () => {
    const page = await openAgents(shared, '/audit')
    await page.getByRole('combobox', { name: 'Agent' }).fill('00007')
    await page.getByRole('option', { name: 'agent-00007' }).click()
    await expect(page).toHaveURL(/agent=agent-00007/)
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '3001')
    await page.getByRole('combobox', { name: 'Event' }).click()
    await page.getByRole('option', { name: 'tool.call' }).click()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')
    await expect(row(page, 50_007)).toContainText('tool.call')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export audit rows as CSV' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('50007')

    await goInDesk(page, 'agents/audit?time=range&from=2026-10-01&to=2026-10-01')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '86400')
    await page.getByRole('combobox', { name: 'Time, UTC' }).selectOption('today')
    await expect(page.getByText('No row for this filter')).toBeVisible()
    await page.getByRole('link', { name: 'Any time' }).click()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(kept + 1))
  })

  test('the place is in the address, and the keys walk the rows and open their details', async () => {
    const page = await openAgents(shared, '/audit')
    await expect(row(page, rows)).toBeVisible()
    await grid(page).hover()
    await page.mouse.wheel(0, 28 * 500)
    await expect(page).toHaveURL(/around=119\d{3}/)
    const id = Number(new URL(page.url()).searchParams.get('around'))
    const before = await topOf(page, id)
    await page.reload()
    await expect(row(page, id)).toBeVisible()
    expect(Math.abs((await topOf(page, id)) - before)).toBeLessThan(29)

    // What leads to a row from elsewhere comes to it, whatever was in sight.
    await goInDesk(page, 'agents/audit?around=60150')
    await expect(row(page, 60_150)).toBeInViewport()
    await grid(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const details = page.getByRole('complementary', { name: 'Row 60,149' })
    await expect(details).toContainText('"step":60149')
    await expect(page).toHaveURL(/row=60149/)
    await page.keyboard.press('j')
    await expect(page.getByRole('complementary', { name: 'Row 60,148' })).toBeVisible()
    await details.or(page.getByRole('complementary')).getByRole('link', { name: 'agent-00028' }).click()
    await expect(page).toHaveURL(/agents\/agent\?name=agent-00028/)
    await page.goBack()
    await expect(row(page, 60_148)).toBeInViewport()
    await expect(page.getByRole('complementary', { name: 'Row 60,148' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('complementary')).toHaveCount(0)
  })

  test('an address that asks for a row keeps it while the row is read, whatever was in sight before', async () => {
    const page = await shared.open('ilse')
    await page.clock.install()
    await goInDesk(page, 'agents/audit?around=90000')
    await expect(row(page, 90_000)).toBeVisible()
    const gate = Promise.withResolvers<null>()
    await page.route(/around=60150/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await grid(page).evaluate((element) => element.scrollBy({ top: 28 * 3 }))
    await expect(row(page, 89_996)).toBeInViewport()
    await goInDesk(page, 'agents/audit?around=60150')
    await expect(page).toHaveURL(/around=60150/)
    await page.clock.runFor(1000)
    await expect(page).toHaveURL(/around=60150/)
    gate.resolve(null)
    await expect(row(page, 60_150)).toBeInViewport()
  })

  test('axe finds nothing on the audit, in light and dark', async () => {
    test.slow()
    const page = await openAgents(shared, '/audit')
    await expect(row(page, rows)).toBeVisible()
    const found = await violations(page, 'audit')
    await grid(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('complementary')).toBeVisible()
    found.push(...(await violations(page, 'details')))
    await goInDesk(page, 'agents/audit?trouble=true')
    await expect(row(page, 119_990)).toBeVisible()
    await row(page, 119_990).getByRole('button', { name: 'Mark as seen…' }).click()
    found.push(...(await violations(page, 'trouble')))
    await goInDesk(page, 'agents/audit?q=nowhere')
    await expect(page.getByText('No row for this filter')).toBeVisible()
    found.push(...(await violations(page, 'nothing found')))
    expect(found).toEqual([])
  })
})

test('each row says whether its hash matches; one that does not shows both digests, and is marked as seen', async ({
  desk,
  project,
  owner,
}) => {
  place(project)
  const page = await openAgents(desk, '/audit')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await expect(row(page, rows)).toContainText('matches')
  const wrong = row(page, 119_990)
  const detail = `{"step":119990,"result":"ok","took":${119_990 % 977}}`
  const stored = auditHash(119_990, 'agent-00030', 'agent.step', detail)
  const computed = auditHash(119_990, 'agent-00030', 'agent.step', 'edited')
  await expect(wrong).toContainText('does not match')
  await expect(wrong.getByText(stored)).toBeVisible()
  await expect(wrong.getByText(computed)).toBeVisible()
  await wrong.getByRole('button', { name: 'Copy both' }).click()
  await expect(wrong.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`computed ${computed}`)

  const state = page.getByText('in 119,994 rows, all hashes checked').locator('..')
  await expect(state).toHaveText(/^\s*2 mismatches\s*and\s*1 gap of 6\s*in 119,994 rows, all hashes checked$/)
  await wrong.getByRole('button', { name: 'Mark as seen…' }).click()
  await wrong.getByRole('button', { name: 'Mark as seen' }).click()
  await expect(wrong.getByText('Marked as seen')).toBeVisible()
  await expect(wrong).toContainText('does not match')

  // What somebody edits now is seen now.
  const writer = await owner()
  await writer.run("UPDATE audit_log SET detail = 'edited as well' WHERE id = 119995")
  await expect(row(page, 119_995)).toContainText('does not match')
  await expect(state).toContainText('3 mismatches')
})

test('new rows are announced and enter when they are asked for', async ({ desk, project, owner }) => {
  place(project)
  const page = await openAgents(desk, '/audit')
  await expect(row(page, rows)).toBeVisible()
  const writer = await owner()
  for (let n = 1; n <= 3; n += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await writer.run(
      `INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash)
       VALUES (datetime('now'), ?, 'writer', 'agent.step', 'new', ?)`,
      n,
      auditHash(n, 'writer', 'agent.step', 'new'),
    )
  }
  const news = page.getByRole('button', { name: '3 new rows Show' })
  await expect(news).toBeVisible()
  await expect(row(page, rows)).toHaveAttribute('aria-rowindex', '2')
  await page.keyboard.press('.')
  await expect(row(page, rows + 3)).toHaveAttribute('aria-rowindex', '2')
  await expect(news).toHaveCount(0)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(kept + 4))
})
