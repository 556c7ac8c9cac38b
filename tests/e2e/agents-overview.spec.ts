import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createDemoProject } from '../../src/server/agents/demo/demo-project.ts'
import { startOwner } from '../support/agents/agent-owner.ts'
import { agentProject, makeAgentProject, withProject } from '../support/agents/agent-project.ts'
import type { AgentProject } from '../support/agents/agent-project.ts'
import { reloadInApp } from '../support/desk/app-bridge.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { showProject } from '../support/agents/agents-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const alerts = (page: Page) => page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')

/** Creates the demo project and opens it in the desk. */
async function showDemo(desk: Desk): Promise<AgentProject> {
  const project = agentProject(temporaryFolder())
  createDemoProject(project.folder, new Date())
  await showProject(desk, project.folder)
  return project
}

test('the overview starts with the alerts, most severe first, and shows a new crash without a reload', async ({
  desk,
}) => {
  const project = await showDemo(desk)
  const page = await desk.open('ilse', { at: '/agents' })
  await expect(alerts(page).nth(0)).toContainText('does not match its hash')
  await expect(alerts(page).nth(1)).toContainText('invoice-reader crashed and is down')
  const before = await alerts(page).count()

  // The figure, its link and the side column have the same counts.
  await expect(page.getByRole('region', { name: 'Agents', exact: true })).toContainText('42')
  await expect(
    page.getByRole('navigation', { name: 'Agents' }).getByRole('link', { name: 'Agents' }),
  ).toContainText('42')
  await page.getByRole('link', { name: '34 running' }).click()
  await expect(page.getByRole('grid', { name: 'Agents' })).toHaveAttribute('aria-rowcount', '35')
  await page.goBack()

  const owner = await startOwner(project)
  try {
    await owner.run("UPDATE agents SET status = 'crashed' WHERE name = 'geo-tagger'")
    await expect(page.getByText('geo-tagger crashed and is down')).toBeVisible()
    await expect(alerts(page)).toHaveCount(before + 1)
    await expect(page.getByRole('link', { name: '2 crashed' })).toBeVisible()
    await expect(
      page
        .getByRole('navigation', { name: 'Areas' })
        .getByRole('img', { name: new RegExp(`^${before + 1} alerts?$`) }),
    ).toBeVisible()
  } finally {
    await owner.close()
  }
  expect(await violations(page, 'overview')).toEqual([])
})

test.describe('a database that does not change', () => {
  const shared = shareDesk(showDemo)

  test('the app links to the settings for alert notifications, and a browser does not', async () => {
    const page = await shared.open('tomas', { at: '/agents' })
    await expect(alerts(page).first()).toBeVisible()
    const link = page.getByRole('link', { name: 'Alert settings' })
    await expect(link).toHaveCount(0)

    await reloadInApp(page)
    await link.click()
    await expect(page.getByRole('heading', { name: 'This app' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Notify about agent alerts' })).toBeChecked()
  })

  test('the arrow keys move through a chart, which can also be shown as a table', async () => {
    const page = await shared.open('ilse', { at: '/agents' })
    const chart = page.getByRole('slider', { name: /^Spend by hour, today/ })
    await chart.focus()
    await page.keyboard.press('Home')
    await expect(chart).toHaveAttribute('aria-valuetext', /^00:00 to 01:00: /)
    await page.keyboard.press('ArrowRight')
    await expect(chart).toHaveAttribute('aria-valuetext', /^01:00 to 02:00: /)
    await expect(page.getByText('01:00 to 02:00')).toBeVisible()
    await page.keyboard.press('End')
    await expect(chart).toHaveAttribute('aria-valuetext', /^23:00 to 00:00: /)
    await page.getByRole('button', { name: 'Show as table' }).click()
    const table = page.getByRole('region', { name: /^Spend by hour, today.*as a table/ })
    await expect(table.getByRole('row')).toHaveCount(25)
    await expect(table.getByRole('rowheader', { name: '23:00 to 00:00' })).toHaveCount(1)
    expect(await violations(page, 'chart as a table')).toEqual([])
  })
})

test('an agent shows the release that its module came from, and that it has been revoked', async ({
  desk,
}) => {
  const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  const id = await desk.submit({ name: 'word-count' }, undefined, wasm)
  await desk.decide(id, 'approved')
  const project = makeAgentProject(temporaryFolder())
  mkdirSync(join(project.folder, 'modules'))
  writeFileSync(join(project.folder, 'modules/count.wasm'), wasm)
  withProject(project, (database) => {
    const add = database.prepare('INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    const at = '2026-11-01 10:00:00'
    add.run('a', 'counter', 'worker', 'modules/count.wasm', 'running', 7, at, at)
    add.run('b', 'unknown-module', 'worker', 'modules/none.wasm', 'stopped', null, at, at)
  })
  await showProject(desk, project.folder)
  const page = await desk.open('ilse', { at: '/agents/agent?name=counter' })
  const module = page.getByRole('region', { name: 'Module', exact: true })
  const digest = createHash('sha256').update(wasm).digest('hex')
  await expect(module).toContainText(`sha256:${digest.slice(0, 4)}…${digest.slice(-4)}`)
  await expect(module.getByRole('link', { name: 'word-count 1.0.0' })).toBeVisible()
  await expect(module).toContainText('approved')
  await expect(page.getByRole('region', { name: 'Budget' })).toContainText('No budget')
  await expect(page.getByRole('region', { name: 'Trust' })).toContainText('no trust record')

  await desk.decide(id, 'revoked', 'It counts wrong.')
  await expect(module).toContainText('word-count 1.0.0 was revoked')
  await expect(module).toContainText('“It counts wrong.”')
  expect(await violations(page, 'agent')).toEqual([])

  await goInDesk(page, 'agents/agent?name=unknown-module')
  await expect(module).toContainText('file not found')
  await goInDesk(page, 'agents/agent?name=nobody')
  await expect(page.getByText('Agent nobody not found')).toBeVisible()
})
