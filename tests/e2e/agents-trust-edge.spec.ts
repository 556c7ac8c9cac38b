import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import type { AgentProject } from '../support/agents/agent-project.ts'
import { expect, openAgents, showProject, test } from '../support/agents/agents-browser.ts'
import { shareDesk } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
// One worker, because each would fill its own database.
test.describe.configure({ mode: 'default' })

const agents = 10_000

let filled: AgentProject
test.beforeAll(() => {
  filled = makeAgentProject(mkdtempSync(join(tmpdir(), 'skilldock-trust-rows-')), {
    fill: (database) => {
      addManyRows(database, { agents, audit: 10, routes: 0 })
      database.exec(`
        UPDATE trust_records SET trust_tier = 'silver' WHERE t_score < 100;
        UPDATE trust_records SET t_score = NULL, credit_rating = NULL, verified_at = 'soon' WHERE agent_name = 'agent-00003';
        INSERT INTO trust_records VALUES ('nobody', NULL, 'gold', 1000, 'AAA', datetime('now'), 'active');
        UPDATE edge_deployments SET region = 'us-east', status = 'failed' WHERE agent_name < 'agent-00004';
        UPDATE edge_deployments SET url = 'javascript:alert(1)' WHERE agent_name = 'agent-00001';
        UPDATE edge_deployments SET url = NULL, deployed_at = NULL WHERE agent_name = 'agent-00002';
        UPDATE edge_deployments SET deployed_at = datetime('now', '-26 hours') WHERE agent_name = 'agent-00003'`)
    },
  })
})
test.afterAll(() => rmSync(filled.folder, { recursive: true, force: true }))

/** Copies the database for a test that writes. */
const fillProject = (project: AgentProject): void =>
  cpSync(filled.folder, project.folder, { recursive: true })

const grid = (page: Page, name: string): Locator => page.getByRole('grid', { name })
const row = (page: Page, agent: string): Locator => page.getByRole('row').filter({ hasText: agent })
const first = (page: Page): Locator => page.locator('[data-row-index="0"]')

test.describe('a database that does not change', () => {
  const shared = shareDesk((desk) => showProject(desk, filled.folder))

  test('lists ten thousand records, sorted and filtered, with unknown values last', async () => {
    const page = await openAgents(shared, '/trust')
    await expect(grid(page, 'Trust records')).toHaveAttribute('aria-rowcount', String(agents + 2))
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60)
    const unknown = row(page, 'agent-00003')
    await expect(unknown.getByText('unknown')).toHaveCount(3)

    await page.getByRole('columnheader', { name: 'Score' }).getByRole('button').click()
    await expect(page).toHaveURL(/sort=score&order=desc/)
    await expect(page.getByRole('columnheader', { name: 'Score' })).toHaveAttribute('aria-sort', 'descending')
    await expect(first(page)).toContainText('nobody no such agent')
    await grid(page, 'Trust records').focus()
    await page.keyboard.press('End')
    await expect(unknown).toBeInViewport()

    await page.getByRole('combobox', { name: 'Tier' }).click()
    await page.getByRole('option', { name: 'silver' }).click()
    await expect(page).toHaveURL(/tier=silver/)
    await expect(grid(page, 'Trust records')).toHaveAttribute('aria-rowcount', '1001')
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('agent-00042')
    await expect(grid(page, 'Trust records')).toHaveAttribute('aria-rowcount', '2')
    await page.getByRole('searchbox').fill('nowhere')
    await expect(page.getByText('No matching trust records')).toBeVisible()
    await page.getByRole('link', { name: 'Clear search “nowhere”' }).click()
    await expect(grid(page, 'Trust records')).toHaveAttribute('aria-rowcount', '1001')
  })

  test('exports the matching records', async () => {
    const page = await openAgents(shared, '/trust?tier=silver&sort=score&order=desc')
    await expect(grid(page, 'Trust records')).toHaveAttribute('aria-rowcount', '1001')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export trust records as JSON' }).click(),
    ])
    const rows = JSON.parse(readFileSync(await download.path(), 'utf8')) as { tier: string; score: number }[]
    expect(rows).toHaveLength(1000)
    expect(rows[0]).toMatchObject({ tier: 'silver', score: 99 })
  })

  test('axe finds nothing on trust and edge, in light and dark', async () => {
    test.slow()
    const page = await openAgents(shared, '/trust')
    await expect(row(page, 'agent-00003')).toBeVisible()
    const found = await violations(page, 'trust')
    await page.getByRole('combobox', { name: 'Rating' }).click()
    await expect(page.getByRole('option').first()).toBeVisible()
    found.push(...(await violations(page, 'a filter of trust')))
    await goInDesk(page, 'agents/edge')
    await expect(row(page, 'agent-00003')).toBeVisible()
    found.push(...(await violations(page, 'edge')))
    await goInDesk(page, 'agents/edge?q=nowhere&region=eu-west')
    await expect(page.getByText('No matching deployments')).toBeVisible()
    found.push(...(await violations(page, 'nothing deployed')))
    expect(found).toEqual([])
  })
})

test.describe('trust', () => {
  test('updates a changed score in place, and opens the agent by keyboard', async ({
    desk,
    project,
    owner,
  }) => {
    fillProject(project)
    const page = await openAgents(desk, '/trust')
    await expect(row(page, 'agent-00005')).toContainText('silver')
    const writer = await owner()
    await writer.run(
      "UPDATE trust_records SET t_score = 777, trust_tier = 'bronze' WHERE agent_name = 'agent-00005'",
    )
    await expect(row(page, 'agent-00005')).toContainText('777')
    await expect(row(page, 'agent-00005')).toContainText('bronze')
    await expect(row(page, 'agent-00005')).toHaveAttribute('aria-rowindex', '7')

    await grid(page, 'Trust records').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/agents\/agent\?name=agent-00001/)
    await page.goBack()
    await expect(grid(page, 'Trust records')).toBeVisible()
  })
})

test.describe('edge', () => {
  test('lists deployments with region, status, URL and age, and filters them', async ({
    desk,
    project,
    owner,
  }) => {
    fillProject(project)
    const page = await openAgents(desk, '/edge')
    await expect(grid(page, 'Deployments')).toHaveAttribute('aria-rowcount', String(agents + 1))
    const link = row(page, 'agent-00000').getByRole('link', { name: 'https://agent-00000.example' })
    await expect(link).toHaveAttribute('href', 'https://agent-00000.example/')
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', 'noreferrer noopener')
    // A URL that is not a web address is plain text, and a missing value is unknown.
    await expect(row(page, 'agent-00001')).toContainText('javascript:alert(1)')
    await expect(row(page, 'agent-00001').getByRole('link')).toHaveCount(1)
    await expect(row(page, 'agent-00002').getByText('unknown')).toHaveCount(2)
    await expect(row(page, 'agent-00003')).toContainText('26 h')

    await page.getByRole('combobox', { name: 'Region' }).click()
    await page.getByRole('option', { name: 'us-east' }).click()
    await expect(grid(page, 'Deployments')).toHaveAttribute('aria-rowcount', '5')
    await page.getByRole('columnheader', { name: 'Age', exact: true }).getByRole('button').click()
    await expect(page).toHaveURL(/region=us-east&sort=deployed&order=desc/)
    await expect(first(page)).toContainText('agent-00003')

    // A change in the database appears without user action.
    const writer = await owner()
    await writer.run("UPDATE edge_deployments SET status = 'active' WHERE agent_name = 'agent-00003'")
    await expect(row(page, 'agent-00003')).toContainText('active')
  })
})

test('a missing table is named, and its values are unknown', async ({ desk, project }) => {
  makeAgentProject(project.folder, {
    fill: (database) =>
      database.exec('DROP TABLE trust_records; DROP TABLE edge_deployments; DROP TABLE audit_log'),
  })
  const page = await openAgents(desk, '/trust')
  await expect(page.getByText('The database has no table trust_records')).toBeVisible()
  await page.getByRole('link', { name: 'Edge' }).click()
  await expect(page.getByText('The database has no table edge_deployments')).toBeVisible()
  await page.getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByText('The database has no table audit_log')).toBeVisible()
})
