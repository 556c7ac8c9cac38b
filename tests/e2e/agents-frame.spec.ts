import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  agentProject,
  addManyRows,
  makeAgentProject,
  removeDatabase,
} from '../support/agents/agent-project.ts'
import { startOwner } from '../support/agents/agent-owner.ts'
import { showProject } from '../support/agents/agents-browser.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import { callAsPage, goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const withAgents = (agents: number) => ({
  fill: (database: Parameters<typeof addManyRows>[0]) => addManyRows(database, { agents, audit: 40 }),
})

test('without a project the area shows the first step, and opens the project folder that is entered', async ({
  desk,
}) => {
  const first = makeAgentProject(temporaryFolder(), withAgents(20))
  const second = makeAgentProject(temporaryFolder(), withAgents(30))
  const page = await desk.open('ilse')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByText('No agent project selected')).toBeVisible()
  await expect(page.getByText('skilldock demo --agents DIR')).toBeVisible()

  const folder = page.getByRole('textbox', { name: 'Project folder' })
  await folder.fill('not/from/the/root')
  await folder.press('Enter')
  await expect(page.getByText('must be an absolute path')).toBeVisible()
  await folder.fill(first.folder)
  await folder.press('Enter')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  const views = page.getByRole('navigation', { name: 'Agents' })
  await expect(views.getByRole('link', { name: 'Agents' })).toContainText('20')

  // Opens another project, reopens the first from the recent ones, and removes the other.
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agent project' })
  await dialog.getByRole('textbox', { name: 'Other folder' }).fill(second.folder)
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(views.getByRole('link', { name: 'Agents' })).toContainText('30')
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByRole('button', { name: /^Open skilldock/ }).click()
  await expect(views.getByRole('link', { name: 'Agents' })).toContainText('20')
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByRole('button', { name: /^Remove / }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
})

test('when another project is chosen elsewhere, each list shows only the rows of that project', async ({
  desk,
}) => {
  const first = makeAgentProject(temporaryFolder(), withAgents(20))
  const second = makeAgentProject(temporaryFolder(), {
    fill(database) {
      addManyRows(database, { agents: 3, audit: 7 })
      database.exec("UPDATE agents SET name = 'other-' || name; UPDATE audit_log SET detail = 'of the other'")
    },
  })
  await showProject(desk, first.folder)
  const page = await desk.open('ilse', { at: '/agents/list' })
  await expect(page.getByText('20 agents')).toBeVisible()
  await showProject(desk, second.folder)
  await expect(page.getByText('3 agents')).toBeVisible()
  const agents = page.getByRole('grid', { name: 'Agents' }).locator('[data-row-index]')
  await expect(agents).toContainText(['other-agent-00000', 'other-agent-00001', 'other-agent-00002'])

  await page.getByRole('link', { name: 'Audit' }).click()
  const audit = page.getByRole('grid', { name: 'Audit' })
  await expect(audit.locator('[data-row-index]')).toHaveCount(7)
  await showProject(desk, first.folder)
  await expect(audit).toHaveAttribute('aria-rowcount', '41')
  await expect(audit).not.toContainText('of the other')
  await expect(page.getByRole('button', { name: 'Show' })).toHaveCount(0)
})

test('rows of the former project are not kept if another one is chosen before the project is known', async ({
  desk,
}) => {
  const first = makeAgentProject(temporaryFolder(), withAgents(20))
  const second = makeAgentProject(temporaryFolder(), withAgents(3))
  await showProject(desk, first.folder)
  const page = await desk.open('ilse', { at: '/services' })
  const chosen = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/desk/api/agents/project', async (route) => {
    asked.resolve()
    await chosen.promise
    await route.continue()
  })
  await goInDesk(page, 'agents/list')
  await asked.promise
  // The other reads of the view, if there are any, have been answered.
  // Reads of the view that were sent before have been answered by then.
  await callAsPage(page, '/agents/list?offset=0')
  await showProject(desk, second.folder)
  chosen.resolve()
  await expect(page.getByText('3 agents')).toBeVisible()
})

test('a missing or damaged project database has a notice, and the views return once it can be read', async ({
  desk,
}) => {
  const project = agentProject(temporaryFolder())
  await showProject(desk, project.folder)
  const page = await desk.open('ilse', { at: '/agents/list' })
  await expect(page.getByText('Project database not found')).toBeVisible()
  await expect(page.getByText('No agent data yet')).toBeVisible()

  makeAgentProject(project.folder, withAgents(7))
  await expect(page.getByRole('grid', { name: 'Agents' })).toHaveAttribute('aria-rowcount', '8')
  await expect(page.getByText('Project database not found')).toHaveCount(0)

  removeDatabase(project)
  mkdirSync(dirname(project.file), { recursive: true })
  writeFileSync(project.file, 'This is no database at all. '.repeat(400))
  await expect(page.getByText("Couldn't read the project database")).toBeVisible()

  removeDatabase(project)
  makeAgentProject(project.folder, withAgents(9))
  await expect(page.getByText("Couldn't read the project database")).toHaveCount(0)
  // The rows on screen have stayed, and the new agents are announced.
  await page.getByRole('button', { name: '2 new agents' }).click()
  await expect(page.getByRole('grid', { name: 'Agents' })).toHaveAttribute('aria-rowcount', '10')
})

test('an unreadable project that was never read shows only a notice of what happened and what to do', async ({
  desk,
}) => {
  const project = agentProject(temporaryFolder())
  mkdirSync(dirname(project.file), { recursive: true })
  writeFileSync(project.file, 'This is not a database. '.repeat(400))
  await showProject(desk, project.folder)
  const page = await desk.open('ilse', { at: '/agents' })
  const sheet = page.locator('[data-region="sheet"]')
  await expect(sheet.getByText('is not an SQLite database')).toBeVisible()
  await expect(sheet).toHaveText(
    "Couldn't read the project database" +
      "The agent project's data/nexus.db is not an SQLite database. Replace the file or choose another project." +
      'Try again' +
      'Agents',
  )
  await expect(sheet.getByRole('heading', { name: 'Agents', level: 1 })).toHaveCount(1)
})

test('an unreadable project keeps the view that was loaded before, and shows no skeleton in others', async ({
  desk,
}) => {
  const project = makeAgentProject(temporaryFolder(), withAgents(7))
  await showProject(desk, project.folder)
  const page = await desk.open('ilse')
  await page.clock.install()
  await page.goto(`${desk.dashboard}/desk/agents/list`)
  const grid = page.getByRole('grid', { name: 'Agents' })
  await expect(grid).toHaveAttribute('aria-rowcount', '8')

  removeDatabase(project)
  writeFileSync(project.file, 'This is not a database. '.repeat(400))
  await expect(page.getByText("Couldn't read the project database")).toBeVisible()
  await expect(grid).toHaveAttribute('aria-rowcount', '8')

  // Requests that are never answered keep the view loading for as long as the test runs.
  await page.route('**/desk/api/agents/cost?*', () => {})
  await page.getByRole('link', { name: 'Cost' }).click()
  await expect(page.getByRole('heading', { name: 'Cost', level: 1 })).toBeVisible()
  await page.clock.fastForward(5000)
  await expect(page.getByRole('heading', { name: 'Cost', level: 1 })).toBeVisible()
  await expect(page.getByText(/^Still loading/)).toHaveCount(0)
})

test('a paused view says that newer data is available, and shows it when resumed', async ({ desk }) => {
  const project = makeAgentProject(temporaryFolder(), withAgents(12))
  const owner = await startOwner(project)
  try {
    await showProject(desk, project.folder)
    const page = await desk.open('ilse', { at: '/agents/list' })
    const row = page.getByRole('row', { name: /agent-00000/ })
    await expect(row).toContainText('Running')
    await expect(page.getByText(/^Last change .* UTC, checked \d+ s ago/)).toBeVisible()

    await page.keyboard.press('p')
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'agent-00000'")
    await expect(page.getByText('paused; newer data available')).toBeVisible()
    await expect(row).toContainText('Running')

    await page.keyboard.press('p')
    await expect(row).toContainText('Crashed')
    await expect(page.getByText('newer data available')).toHaveCount(0)
  } finally {
    await owner.close()
  }
})

test('while another program locks the database, a notice says so, and the data stays but is marked as stale', async ({
  desk,
}) => {
  const project = makeAgentProject(temporaryFolder(), withAgents(12))
  await showProject(desk, project.folder)
  const page = await desk.open('ilse', { at: '/agents/list' })
  const row = page.getByRole('row', { name: /agent-00000/ })
  await expect(row).toContainText('Running')
  const stamp = page.getByText(/^Last change .* UTC, checked \d+ s ago/)
  await expect(stamp).toBeVisible()
  await expect(stamp).not.toContainText('stale')

  const owner = await startOwner(project, 'wal', 'EXCLUSIVE')
  try {
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'agent-00000'")
    const banner = page.getByRole('status').filter({ hasText: 'Project database is locked' })
    await expect(banner).toContainText('Close that program or wait until it finishes.')
    await expect(row).toContainText('Running')
    await expect(stamp).toContainText('stale', { timeout: 20_000 })
    expect(await violations(page, 'a locked database')).toEqual([])

    await owner.close()
    await expect(row).toContainText('Crashed')
    await expect(banner).toHaveCount(0)
    await expect(stamp).not.toContainText('stale')
  } finally {
    await owner.kill()
  }
})
