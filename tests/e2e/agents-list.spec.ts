import { readFile } from 'node:fs/promises'
import { startOwner } from '../support/agents/agent-owner.ts'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { rowsOf, showProject } from '../support/agents/agents-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const large = () =>
  makeAgentProject(temporaryFolder(), {
    fill: (database) => addManyRows(database, { agents: 10_000, audit: 2000 }),
  })

test('ten thousand agents can be scrolled, searched, filtered and sorted, and the address keeps all of it', async ({
  desk,
}) => {
  test.slow()
  await showProject(desk, large().folder)
  const page = await desk.open('ilse', { at: '/agents/list' })
  const table = page.getByRole('grid', { name: 'Agents' })
  const rows = rowsOf(page, 'Agents')
  await expect(table).toHaveAttribute('aria-rowcount', '10001')
  await expect(rows.first()).toContainText('agent-00000')
  await expect.poll(() => rows.count()).toBeLessThan(60)

  // The keyboard reaches the last agent, Enter opens it, and Back returns to the same rows.
  await table.focus()
  await page.keyboard.press('End')
  await expect(rows.last()).toContainText('agent-09999')
  await expect(page).toHaveURL(/row=99\d\d/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'agent-09999' })).toBeVisible()
  await page.goBack()
  await expect(rows.last()).toContainText('agent-09999')

  // Search and filters apply to the whole list, not to the loaded rows.
  await page.keyboard.press('/')
  await page.keyboard.type('agent-0123')
  await expect(table).toHaveAttribute('aria-rowcount', '11')
  await page.getByRole('combobox', { name: 'State' }).selectOption('crashed')
  await expect(table).toHaveAttribute('aria-rowcount', '4')
  await expect(page).toHaveURL(/q=agent-0123&state=crashed/)
  await page.reload()
  await expect(table).toHaveAttribute('aria-rowcount', '4')
  await table.getByRole('button', { name: 'Agent', exact: true }).click()
  await expect(table.getByRole('columnheader', { name: 'Agent' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows.first()).toContainText('agent-01238')

  // The export has all matching rows, in the same order.
  await expect(page.getByRole('button', { name: /^Export agents as/ })).toHaveText(['CSV', 'JSON'])
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export agents as JSON' }).click()
  const list = JSON.parse(await readFile(await (await downloading).path(), 'utf8')) as { name: string }[]
  expect(list.map(({ name }) => name)).toEqual(['agent-01238', 'agent-01234', 'agent-01230'])

  // Without a match, links offer to clear parts of the filter and say what they lead to.
  await page.getByRole('combobox', { name: 'Supervisor' }).selectOption({ label: 'supervisor-7' })
  await expect(page.getByText('No matching agents')).toBeVisible()
  await page.getByRole('link', { name: 'Clear search “agent-0123”, 3 agents' }).click()
  await expect(rows.first()).toContainText('agent-00078')
  await expect(table).toHaveAttribute('aria-rowcount', '4')
})

test('the scroll position of one list is not applied to another while its rows load', async ({ desk }) => {
  await showProject(desk, large().folder)
  const page = await desk.open('ilse')
  await page.clock.install()
  await goInDesk(page, 'agents/list')
  const table = page.getByRole('grid', { name: 'Agents' })
  await expect(rowsOf(page, 'Agents').first()).toContainText('agent-00000')
  const gate = Promise.withResolvers<null>()
  await page.route(/state=crashed/, async (route) => {
    await gate.promise
    await route.continue()
  })
  // Before the scroll position is written to the address.
  await table.evaluate(async (element) => {
    element.scrollTo({ top: 32 * 500 })
    for (let frame = 0; frame < 4; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    history.pushState(null, '', '/desk/agents/list?state=crashed')
  })
  await expect(table).toHaveCount(0)
  await page.clock.runFor(1000)
  await expect(page).toHaveURL(/state=crashed$/)
  gate.resolve(null)
  await expect(rowsOf(page, 'Agents').first()).toContainText('Crashed')
})

test('scrolling back to agents that were deleted moves no visible row', async ({ desk }) => {
  const project = large()
  const owner = await startOwner(project)
  try {
    await showProject(desk, project.folder)
    const page = await desk.open('ilse', { at: '/agents/list?row=500' })
    const table = page.getByRole('grid', { name: 'Agents' })
    await expect(rowsOf(page, 'Agents').first()).toContainText('agent-004')
    await owner.run("DELETE FROM agents WHERE name < 'agent-00020'")
    await expect(page.getByText('20 fewer agents')).toBeVisible()
    // The first agents are loaded before they are visible, and are fewer than there were places.
    const first = () =>
      table.evaluate((element) => {
        const top = element.getBoundingClientRect().top + 28
        const rows = [...element.querySelectorAll('[data-row-index]')]
        return rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.textContent?.slice(0, 11)
      })
    await table.evaluate((element) => element.scrollTo({ top: 32 * 100 }))
    await expect(table).toHaveAttribute('aria-rowcount', '9981')
    await expect.poll(first).toBe('agent-00100')
    await table.focus()
    await page.keyboard.press('Home')
    await expect(rowsOf(page, 'Agents').first()).toContainText('agent-00020')
  } finally {
    await owner.close()
  }
})

test('a changed agent is updated in place, and no row moves until the user shows the new ones', async ({
  desk,
}) => {
  test.slow()
  const project = large()
  const owner = await startOwner(project)
  try {
    await showProject(desk, project.folder)
    const page = await desk.open('ilse', { at: '/agents/list' })
    const rows = rowsOf(page, 'Agents')
    await expect(rows.nth(1)).toContainText('Stopped')
    await owner.run("UPDATE agents SET status = 'paused' WHERE name = 'agent-00001'")
    await expect(rows.nth(1)).toContainText('Paused')

    await owner.run(
      "INSERT INTO agents VALUES ('new', 'aardvark', 'worker', NULL, 'running', NULL, '2026-11-01', '2026-11-01')",
    )
    await expect(page.getByText('1 new agent')).toBeVisible()
    await expect(rows.first()).toContainText('agent-00000')
    await page.keyboard.press('.')
    await expect(rows.first()).toContainText('aardvark')
    await expect(page.getByText('1 new agent')).toHaveCount(0)
    await expect(page.getByRole('grid', { name: 'Agents' })).toHaveAttribute('aria-rowcount', '10002')

    expect(await violations(page, 'agents')).toEqual([])
  } finally {
    await owner.close()
  }
})
