import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import { makeAgentProject } from '../support/agents/agent-project.ts'
import { showProject } from '../support/agents/agents-browser.ts'
import { readJson, temporaryFolder } from '../support/server/command-line.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { expect, shareDesk, test, toast } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 800 }

const shared = shareDesk()

/** The violations that axe finds in a wide and in a narrow window, in light and dark. */
async function lookEverywhere(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size)
    found.push(...(await violations(page, `${name}, ${size.width}`)))
  }
  return found
}

test('axe finds nothing in the services and the notice of a failing health check', async () => {
  test.slow()
  const page = await shared.open('ilse', { at: '/services' })
  await page.route('**/desk/api/services', async (route) => {
    const response = await route.fetch()
    const services = (await response.json()) as DeskServices
    const checks = { ...services.checks, databaseWrite: 'The disk is full. Free some space.' }
    await route.fulfill({ response, json: { ...services, checks } })
  })
  await expect(page.getByText("Changes can't be saved right now")).toBeVisible()
  expect(await lookEverywhere(page, 'health notice')).toEqual([])
})

test('axe finds nothing in the notice of an agent project that cannot be read', async () => {
  test.slow()
  const project = makeAgentProject(temporaryFolder())
  writeFileSync(project.file, 'no database'.repeat(1000))
  await showProject(shared.desk, project.folder)
  const page = await shared.open('ilse', { at: '/agents' })
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(await lookEverywhere(page, 'unreadable project')).toEqual([])
  await showProject(shared.desk, null)
})

test('self-approval is a choice of two, saved by keys, and axe finds nothing in it', async () => {
  test.slow()
  const page = await shared.open('ilse', { at: '/settings/desk' })
  const choice = page.getByRole('radiogroup', { name: 'Self-approval' })
  await expect(choice.getByRole('radio', { name: 'Allowed' })).toBeChecked()
  await expect(choice).toHaveAccessibleDescription(/another reviewer must approve them.*Default: Allowed/)
  await choice.getByRole('radio', { name: 'Allowed' }).press('ArrowRight')
  await expect(choice.getByRole('radio', { name: 'Never' })).toBeFocused()
  expect(await lookEverywhere(page, 'self-approval')).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect(toast(page)).toContainText('Saved.')
  expect(await readJson(dataPaths(shared.desk.folder).settings)).toEqual({ 'review.selfApproval': 'never' })
  await page.reload()
  await expect(choice.getByRole('radio', { name: 'Never' })).toBeChecked()
})

test('axe finds nothing in the public page of a review with damaged evidence', async ({ browser }) => {
  test.slow()
  await shared.desk.decide(await shared.desk.submit(), 'approved')
  await withDatabase(shared.desk, (database) =>
    database.transact(() => {
      database.writer.prepare("INSERT INTO decision_evidence SELECT id, 'nonsense' FROM decisions").run()
    }),
  )
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${shared.desk.registry}/skills/upper-case/1.0.0`)
  await expect(page.getByText('The evidence for this review is damaged on this server')).toBeVisible()
  expect(await lookEverywhere(page, 'damaged evidence')).toEqual([])
  await context.close()
})
