import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import {
  agentProject,
  auditHash,
  addManyRows,
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
// One worker, because each would fill its own database.
test.describe.configure({ mode: 'default' })

const rows = 120_000

let filled: AgentProject
test.beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-audit-rows-'))
  filled = makeAgentProject(folder, {
    journal: 'delete',
    fill: (database) => {
      addManyRows(database, { agents: 40, audit: rows, routes: 0 })
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

/** The number of rows after six were deleted. */
const rowsLeft = rows - 6

function fillProject(project: AgentProject, source = filled): void {
  mkdirSync(dirname(project.file), { recursive: true })
  cpSync(agentProject(source.folder).file, project.file)
  withProject(project, (database) => database.pragma('journal_mode = wal'))
}

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Audit' })
const row = (page: Page, id: number): Locator => grid(page).locator(`[data-row-id="${id}"]`)

/** The distance between a row and the top of the table, in pixels. */
const topOf = async (page: Page, id: number): Promise<number> => {
  const [table, one] = await Promise.all([grid(page).boundingBox(), row(page, id).boundingBox()])
  return Math.round((one?.y ?? Number.NaN) - (table?.y ?? 0))
}

test.describe('a database that does not change', () => {
  const shared = shareDesk((desk) => showProject(desk, filled.folder))

  test('a hundred thousand rows scroll from the newest to the oldest without a jump, with their actual count', async () => {
    const page = await openAgents(shared, '/audit')
    await expect(row(page, rows)).toBeVisible()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(rowsLeft + 1))
    await expect(row(page, rows)).toHaveAttribute('aria-rowindex', '2')
    await expect.poll(() => grid(page).getByRole('row').count()).toBeLessThan(60)

    // By keyboard to the end and back.
    await grid(page).focus()
    await page.keyboard.press('End')
    await expect(row(page, 1)).toBeInViewport()
    await expect(row(page, 1)).toHaveAttribute('aria-rowindex', String(rowsLeft + 1))
    await page.keyboard.press('Home')
    await expect(row(page, rows)).toBeInViewport()

    // By the scroll bar to the middle.
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2
    })
    const readMiddle = async (): Promise<number> =>
      Number(await grid(page).locator('[data-row-id]').nth(20).getAttribute('data-row-id', { timeout: 1000 }))
    await expect.poll(readMiddle).toBeLessThan(61_000)
    const id = await readMiddle()
    expect(id).toBeGreaterThan(59_000)
    await expect(row(page, id)).toHaveAttribute('aria-rowindex', String(rows - 6 - id + 2))

    // By the wheel, pixel by pixel.
    const before = await topOf(page, id)
    await grid(page).hover()
    await page.mouse.wheel(0, 120)
    await expect.poll(() => topOf(page, id)).toBe(before - 120)
  })

  test('rows that load above the visible ones do not move them', async () => {
    const page = await shared.open('ilse')
    // The page above the visible rows, which has a taller row with a mismatch, loads after them.
    const gate = Promise.withResolvers<null>()
    let delayed = 0
    await page.route(/agents\/audit\?offset=/, async (route) => {
      delayed += 1
      await gate.promise
      await route.continue()
    })
    await goInDesk(page, 'agents/audit?around=60010')
    await expect(row(page, 60_010)).toBeVisible()
    await expect.poll(() => delayed).toBeGreaterThan(0)
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

  test('gaps are shown where the rows are missing, and can be listed with only the mismatches', async () => {
    const page = await openAgents(shared, '/audit')
    await expect(grid(page)).toContainText('Rows 119,971 to 119,976 are missing between')
    await page.getByRole('button', { name: 'Mismatches and gaps 3' }).click()
    await expect(page).toHaveURL(/trouble=true/)
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '4')
    await expect(grid(page).locator('[data-row-id]')).toHaveCount(3)
    await expect(row(page, 119_977)).toContainText('are missing')
  })

  test('a search runs part by part, and can be canceled and resumed', async () => {
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

    // With many matches the search pauses when there are enough, and continues as the user scrolls.
    await field.fill('"took":5')
    await expect(page.getByText('200 rows found, down to row')).toBeVisible()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '-1')
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expect(page.getByText('400 rows found, down to row')).toBeVisible()

    // A failed search says so, and continues from there on request.
    await page.route(/before=/, (route) => route.abort())
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await expect(page.getByText(/^Search failed: 400 rows found in \d+% of the audit, down to/)).toBeVisible()
    await page.unroute(/before=/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('600 rows found, down to row')).toBeVisible()

    // A search without a response can be canceled, which aborts its request.
    let aborted = 0
    page.on('requestfailed', (request) => {
      if (request.url().includes('q=nowhere')) aborted += 1
    })
    await page.route(/q=nowhere/, () => {})
    await field.fill('nowhere')
    await expect(page.getByText('Searching: 0 rows found')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Canceled: 0 rows found')).toBeVisible()
    await expect.poll(() => aborted).toBe(1)
    await page.unroute(/q=nowhere/)
    await page.getByRole('button', { name: 'Resume search' }).click()
    await expect(page.getByText('No matching rows')).toBeVisible()
    await page.getByRole('link', { name: 'Clear search “nowhere”' }).click()
    await expect(row(page, rows)).toBeVisible()
  })

  test('rows are filtered by agent, event and time, and the export has the matching rows', async () => {
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
    await expect(page.getByText('No matching rows')).toBeVisible()
    await page.getByRole('link', { name: 'Any time' }).click()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(rowsLeft + 1))
  })

  test('the scroll position is in the address, and the keyboard moves through rows and opens their details', async () => {
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

    // A link to a row scrolls to it from any position.
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

  test('an address with a row keeps it while the row loads, whatever was visible before', async () => {
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
    await row(page, 119_990).getByRole('button', { name: 'Acknowledge…' }).click()
    found.push(...(await violations(page, 'problems')))
    await goInDesk(page, 'agents/audit?q=nowhere')
    await expect(page.getByText('No matching rows')).toBeVisible()
    found.push(...(await violations(page, 'nothing found')))
    expect(found).toEqual([])
  })
})

test('each row says whether its hash matches; a mismatch shows both hashes and can be acknowledged', async ({
  desk,
  project,
  owner,
}) => {
  fillProject(project)
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
  await expect(state).toHaveText(
    /^\s*2 mismatches\s*and\s*1 gap \(6 missing rows\)\s*in 119,994 rows, all hashes checked$/,
  )
  await wrong.getByRole('button', { name: 'Acknowledge…' }).click()
  await wrong.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(wrong.getByText('Acknowledged')).toBeVisible()
  await expect(wrong).toContainText('does not match')

  // An edit is detected immediately.
  const writer = await owner()
  await writer.run("UPDATE audit_log SET detail = 'edited as well' WHERE id = 119995")
  await expect(row(page, 119_995)).toContainText('does not match')
  await expect(state).toContainText('3 mismatches')
})

test('new rows are announced and appear on request', async ({ desk, project, owner }) => {
  fillProject(project)
  const page = await openAgents(desk, '/audit')
  await expect(row(page, rows)).toBeVisible()
  const writer = await owner()
  for (let n = 1; n <= 3; n += 1) {
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
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(rowsLeft + 4))
})
