import { createDemoProject } from '../../src/server/agents/demo/demo-project.ts'
import { addManyRows, agentProject, makeAgentProject } from '../support/agents/agent-project.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { rowsOf, showProject } from '../support/agents/agents-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

test('the tree shows which agents each supervisor restarts, and has keyboard navigation', async ({
  desk,
}) => {
  const { folder } = agentProject(temporaryFolder())
  createDemoProject(folder, new Date())
  await showProject(desk, folder)
  const page = await desk.open('ilse', { at: '/agents/supervisors' })
  const tree = page.getByRole('treegrid', { name: 'Supervisors' })
  const row = (name: string | RegExp) => tree.getByRole('row', { name })
  await expect(row(/^ingest/)).toContainText('Gave up')
  await expect(row(/^ingest/)).toContainText('3 of 3 within 60 s')
  await expect(row(/chart-painter/)).toContainText('No such agent')
  await expect(row(/^pricing/)).toContainText('rest-for-one')
  await expect(row(/^digests/)).toHaveAttribute('aria-expanded', 'false')
  await expect(row(/^digests/)).toContainText('14 agents, all running')

  await tree.focus()
  await page.keyboard.press('ArrowRight')
  await expect(row(/^digests/)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(row(/^digests/)).toHaveAttribute('aria-expanded', 'false')

  await row(/^ingest/).click()
  const detail = page.getByRole('complementary', { name: 'Supervisor ingest' })
  await expect(detail).toContainText('only the failed agent is restarted')
  await expect(detail).toContainText('After 3 restarts within 60 s, it gives up')
  await expect(detail.getByRole('slider', { name: /^Restarts by minute/ })).toBeVisible()
  await expect(detail.getByRole('cell', { name: '134', exact: true }).first()).toBeVisible()
  await expect(page).toHaveURL(/id=/)
  expect(await violations(page, 'supervisors')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(detail).toHaveCount(0)

  await page.getByRole('link', { name: /^With problems/ }).click()
  await expect(row(/^geo/)).toHaveCount(0)
  await expect(row(/^ingest/)).toHaveCount(1)
})

test('a thousand supervisors with ten thousand agents can be scrolled and searched', async ({ desk }) => {
  test.slow()
  const project = makeAgentProject(temporaryFolder(), {
    fill: (database) => addManyRows(database, { agents: 10_000, audit: 100 }),
  })
  await showProject(desk, project.folder)
  const page = await desk.open('ilse', { at: '/agents/supervisors?id=s-700' })
  const tree = page.getByRole('treegrid', { name: 'Supervisors' })
  const rows = rowsOf(page, 'Supervisors')
  await expect(tree).toHaveAttribute('aria-rowcount', '11001')
  // The supervisor in the address is visible, with its details.
  await expect(tree.getByRole('row', { name: /^supervisor-700 / })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Supervisor supervisor-700' })).toBeVisible()
  await expect.poll(() => rows.count()).toBeLessThan(80)
  await tree.focus()
  await page.keyboard.press('End')
  await expect(rows.last()).toContainText('agent-09999')
  await page.keyboard.press('/')
  await page.keyboard.type('agent-04321')
  await expect(rows.first()).toContainText('supervisor-432')
  await expect(tree).toHaveAttribute('aria-rowcount', '12')
})
