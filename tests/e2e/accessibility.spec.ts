import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import type { LostDecision } from '../../src/shared/contracts/desk-decisions.ts'
import { dock, expect, reject, row, test, toast } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { decideAtDesk } from '../support/desk/desk-client.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

/** Screens that need no preparation come first in each list, because they can be opened without reloading the desk. */
interface Screen {
  name: string
  /** The path relative to /desk/. */
  path: string
  as: 'ilse' | 'marta'
  show?(page: Page): Promise<void>
}

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key)
  }

const reviewScreens: Screen[] = [
  { name: 'review', path: 'review', as: 'ilse' },
  { name: 'nothing found', path: 'review?q=nothing-like-it', as: 'ilse' },
  { name: 'rejecting', path: 'review', as: 'ilse', show: press('r', '2', 'Tab') },
  { name: 'approving', path: 'review', as: 'ilse', show: press('a') },
  {
    name: 'what ran',
    path: 'review',
    as: 'ilse',
    async show(page) {
      await page.getByRole('button', { name: 'Run examples' }).click()
      await page.getByRole('button', { name: 'Details of example 1' }).click()
      await page.getByRole('textbox', { name: /custom run$/ }).fill('one')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('table', { name: 'Custom run' }).getByText('exited').waitFor()
      await page.getByRole('button', { name: 'Arguments' }).click()
    },
  },
  { name: 'revoking', path: 'review?view=decided&q=word', as: 'ilse', show: press('x', 'Control+Enter') },
  { name: 'keys', path: 'review', as: 'ilse', show: press('?') },
  { name: 'palette', path: 'review', as: 'ilse', show: press('Control+k') },
]

const otherScreens: Screen[] = [
  { name: 'people', path: 'people', as: 'ilse' },
  { name: 'services', path: 'services', as: 'ilse' },
  { name: 'settings of the desk', path: 'settings/desk', as: 'ilse' },
  { name: 'my releases', path: 'own', as: 'marta' },
  {
    name: 'a token and a link',
    path: 'people',
    as: 'ilse',
    async show(page) {
      await page.getByRole('button', { name: 'Sign-in link…' }).click()
      await page.getByRole('button', { name: 'New token…' }).click()
      await page.getByLabel('Token name').fill('laptop')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('textbox', { name: 'Token', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Add person…' }).click()
      await page.getByRole('button', { name: 'Remove…' }).click()
    },
  },
  {
    name: 'settings, one of them wrong',
    path: 'settings',
    as: 'ilse',
    async show(page) {
      await page.getByRole('textbox', { name: 'Trusted proxies' }).fill('ten')
      await page.getByText('It must be an IP address or a network.').waitFor()
    },
  },
  {
    name: 'the menu',
    path: 'own',
    as: 'marta',
    show: (page) => page.getByRole('button', { name: /theme, tokens/ }).click(),
  },
]

test('axe finds nothing in the review of releases, in light and dark', async ({ desk }) => {
  test.slow()
  const decided = await desk.submit({ name: 'word-count' })
  await desk.decide(decided, 'approved')
  await desk.submit({
    description: 'Turns pay\u200Bload into capitals.',
    readme: '# Use\n\n[site](https://example.com)',
  })
  const page = await desk.open('ilse')
  const found: string[] = []
  for (const screen of reviewScreens) {
    await visit(page, desk, screen)
    found.push(...(await violations(page, screen.name)))
  }
  expect(found).toEqual([])
})

test('axe finds nothing on the other screens and the signed-out pages, in light and dark', async ({
  desk,
  browser,
}) => {
  test.slow()
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  await desk.submit()
  const pages = { ilse: await desk.open('ilse'), marta: await desk.open('marta') }
  const found: string[] = []
  for (const screen of otherScreens) {
    const page = pages[screen.as]
    // One after another, because they share their pages.
    await visit(page, desk, screen)
    found.push(...(await violations(page, screen.name)))
  }
  const context = await browser.newContext()
  const outside = await context.newPage()
  await outside.goto(`${desk.dashboard}/desk/`)
  await outside.getByRole('heading', { level: 1 }).waitFor()
  found.push(...(await violations(outside, 'signed out')))
  await context.close()
  expect(found).toEqual([])
})

const blogScreens: Screen[] = [
  { name: 'blog, empty', path: 'content/blog', as: 'ilse' },
  {
    name: 'a post that lacks something',
    path: 'content/blog',
    as: 'ilse',
    async show(page) {
      await page.getByRole('button', { name: 'New post' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('A post')
      await page.getByRole('textbox', { name: 'Post text (Markdown)' }).click()
      await page.keyboard.insertText(
        '## Head\n\n`code`, [link](https://example.com)\n\n> words\n\n![](uploading:gone.png)',
      )
      await page.getByText('gone.png is not uploaded yet').waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('list', { name: 'Before you publish' }).waitFor()
    },
  },
  {
    name: 'the details of a post',
    path: 'content/blog',
    as: 'ilse',
    async show(page) {
      await page.getByRole('row', { name: /A post/ }).click()
      await page.getByRole('button', { name: 'Details' }).click()
      await page.getByLabel('URL').waitFor()
    },
  },
  {
    name: 'the history of a post',
    path: 'content/blog',
    as: 'ilse',
    async show(page) {
      await page.getByRole('row', { name: /A post/ }).click()
      await page.getByRole('button', { name: 'History' }).click()
      await page.getByRole('button', { name: /autosaved/ }).click()
      await page.getByRole('button', { name: 'Restore this version' }).waitFor()
    },
  },
]

test('axe finds nothing in the list and the editor of posts, in light and dark', async ({ desk }) => {
  test.slow()
  const page = await desk.open('ilse')
  const found: string[] = []
  for (const screen of blogScreens) {
    await visit(page, desk, screen)
    found.push(...(await violations(page, screen.name)))
  }
  expect(found).toEqual([])
})

test('axe finds nothing while decisions are held and lost, in the audit log and the templates', async ({
  desk,
}) => {
  test.slow()
  const base = await desk.submit()
  await desk.decide(base, 'approved')
  const grown = await desk.submit(
    { version: '1.1.0' },
    undefined,
    await importingModule('fd_write', 'path_open'),
  )
  await desk.submit({ name: 'hex-dump' })
  const held = await desk.submit({ name: 'word-count' })
  const page = await desk.open('ilse')
  const tomas = await desk.open('tomas')
  await expect(tomas.getByRole('heading', { name: 'upper-case 1.1.0' })).toBeVisible()
  const found: string[] = []

  await expect(page.getByText('Tomáš Novák also has this open').first()).toBeVisible()
  await page.keyboard.press('a')
  await expect(dock(page)).toContainText('Confirm the new capabilities first')
  found.push(...(await violations(page, 'new capabilities not confirmed')))
  const lost: LostDecision = {
    id: 1,
    releaseId: grown,
    name: 'upper-case',
    version: '1.1.0',
    action: 'rejected',
    reason: 'It reads files without a need.',
    heldAt: new Date().toISOString(),
    cause: 'stopped',
  }
  await page.route('**/desk/api/lost-decisions', (route) => route.fulfill({ json: { items: [lost] } }))
  await page.goto(`${desk.dashboard}/desk/review/${held}`)
  await expect(page.getByRole('button', { name: 'Dismiss', exact: true })).toBeVisible()
  await decideAtDesk(await desk.client('tomas'), held, 'rejected')
  await expect(dock(page)).toContainText("Tomáš Novák's rejection takes effect")
  found.push(...(await violations(page, 'held by another administrator, and a lost decision')))
  await page.unroute('**/desk/api/lost-decisions')

  await row(page, 'hex-dump').click()
  await reject(page, 'The readme names no server to ask.')
  await expect(toast(page)).toContainText(/hex-dump 1\.0\.0 (?:is|will be) /)
  found.push(...(await violations(page, 'held')))
  for (const path of ['history', 'history?q=nothing-like-it', 'reasons']) {
    await visit(page, desk, { name: path, path, as: 'ilse' })
    found.push(...(await violations(page, path)))
  }
  await page.getByRole('button', { name: 'Add template' }).first().click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a label.')).toBeVisible()
  found.push(...(await violations(page, 'a template without texts')))
  expect(found).toEqual([])
})

test('axe finds nothing on the setup page', async ({ emptyDesk, page }) => {
  await page.goto(await emptyDesk.link())
  await page.getByLabel('Your name').waitFor()
  expect(await violations(page, 'first run')).toEqual([])
})

async function visit(page: Page, desk: Desk, screen: Screen): Promise<void> {
  if (screen.show === undefined) await goInDesk(page, screen.path)
  else await page.goto(`${desk.dashboard}/desk/${screen.path}`)
  await expect(page.getByText('Both services running')).toBeVisible()
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('[role="status"][aria-label^="Loading"]')).toHaveCount(0)
  await screen.show?.(page)
}
