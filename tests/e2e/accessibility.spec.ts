import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { expect, test } from '../support/desk-browser.ts'
import type { Desk } from '../support/desk-browser.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

interface Screen {
  name: string
  /** Below /desk/. */
  path: string
  as: 'ilse' | 'marta'
  show?(page: Page): Promise<void>
}

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    // oxlint-disable-next-line no-await-in-loop
    for (const key of keys) await page.keyboard.press(key)
  }

const screens: Screen[] = [
  { name: 'review', path: 'review', as: 'ilse' },
  { name: 'rejecting', path: 'review', as: 'ilse', show: press('r', '2', 'Tab') },
  { name: 'approving', path: 'review', as: 'ilse', show: press('a') },
  { name: 'revoking', path: 'review?view=decided&q=word', as: 'ilse', show: press('x', 'Control+Enter') },
  { name: 'nothing found', path: 'review?q=nothing-like-it', as: 'ilse' },
  { name: 'keys', path: 'review', as: 'ilse', show: press('?') },
  { name: 'palette', path: 'review', as: 'ilse', show: press('Control+k') },
  { name: 'people', path: 'people', as: 'ilse' },
  {
    name: 'a token and a link',
    path: 'people',
    as: 'ilse',
    async show(page) {
      await page.getByRole('button', { name: 'Sign-in link…' }).click()
      await page.getByRole('button', { name: 'New token…' }).click()
      await page.getByLabel('What it is for').fill('laptop')
      await page.getByRole('button', { name: 'Make token' }).click()
      await page.getByRole('textbox', { name: 'The token' }).waitFor()
      await page.getByRole('button', { name: 'Add person…' }).click()
      await page.getByRole('button', { name: 'Remove…' }).click()
    },
  },
  { name: 'services', path: 'services', as: 'ilse' },
  { name: 'my releases', path: 'own', as: 'marta' },
  {
    name: 'the menu',
    path: 'own',
    as: 'marta',
    show: (page) => page.getByRole('button', { name: /theme, tokens/ }).click(),
  },
]

test('axe finds nothing on any screen, in light and dark', async ({ desk, browser }) => {
  test.slow()
  const decided = await desk.submit({ name: 'word-count' })
  await desk.decide(decided, 'approved')
  await desk.submit({
    description: 'Turns pay\u200Bload into capitals.',
    readme: '# Use\n\n[site](https://example.com)',
  })
  const pages = { ilse: await desk.open('ilse'), marta: await desk.open('marta') }
  const found: string[] = []
  for (const screen of screens) {
    const page = pages[screen.as]
    // One after the other: they share their pages.
    // oxlint-disable-next-line no-await-in-loop
    await visit(page, desk, screen)
    // oxlint-disable-next-line no-await-in-loop
    found.push(...(await look(page, screen.name)))
  }
  const context = await browser.newContext()
  const outside = await context.newPage()
  await outside.goto(`${desk.dashboard}/desk/`)
  await outside.getByRole('heading', { level: 1 }).waitFor()
  found.push(...(await look(outside, 'signed out')))
  await context.close()
  expect(found).toEqual([])
})

test('axe finds nothing on the first page of all', async ({ emptyDesk, page }) => {
  await page.goto(await emptyDesk.link())
  await page.getByLabel('Your name').waitFor()
  expect(await look(page, 'first run')).toEqual([])
})

async function visit(page: Page, desk: Desk, screen: Screen): Promise<void> {
  await page.goto(`${desk.dashboard}/desk/${screen.path}`)
  await expect(page.getByText('Both services running')).toBeVisible()
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('[role="status"][aria-label^="Reading"]')).toHaveCount(0)
  await screen.show?.(page)
}

/** Everything in light; in dark the colours, for the document is the same. */
async function look(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    // Nothing moves, or a colour on its way from one scheme to the other would be measured.
    // oxlint-disable-next-line no-await-in-loop
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
    // There are no frames, so that no second page is needed to put the findings together.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // oxlint-disable-next-line no-await-in-loop
    const { violations } = await (
      scheme === 'light' ? axe : axe.withRules(['color-contrast', 'link-in-text-block'])
    ).analyze()
    for (const { id, nodes } of violations) {
      found.push(`${name}, ${scheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
  }
  return found
}
