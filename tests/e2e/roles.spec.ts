import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { dock, expect, row, shareDesk, test } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
const shared = shareDesk(undefined, { undoMs: 0 })

const areas = (page: Page) => page.getByRole('navigation', { name: 'Areas' }).getByRole('link')

/** Checks which commands of the palette open an area. */
async function expectCommandsToAreas(page: Page, areaNames: readonly string[]): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('go to')
  await expect(page.getByRole('button', { name: /^Go to/ })).toHaveText(
    areaNames.map((name) => new RegExp(`^Go to ${name}(?: ?[Gg] ?.)?$`)),
  )
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function expectNotAllowed(page: Page, path: string, reason: string): Promise<void> {
  await goInDesk(page, path)
  await expect(page.getByRole('heading', { level: 1, name: 'Not included in your role' })).toBeVisible()
  await expect(page.getByText(reason)).toBeVisible()
}

test('a reviewer decides, and sees nothing of the areas for editors and administrators', async () => {
  const { desk } = shared
  await desk.token({ subject: 'rex', name: 'Rex Reviewer', role: 'reviewer' })
  await desk.submit()
  const page = await shared.open('rex')
  await expect(areas(page)).toHaveText(['Review1', 'My releases'])
  await expectCommandsToAreas(page, ['Review', 'Review note templates', 'My releases'])
  await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Marta Okafor', exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0)

  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/review/)
  for (const path of ['people/1', 'settings', 'services', 'history', 'agents']) {
    await expectNotAllowed(page, path, 'This page is for administrators, and you are a reviewer.')
  }
  await expectNotAllowed(page, 'content/blog', 'This page is for editors and administrators')
  expect(await violations(page, 'a page that is not included in the role')).toEqual([])

  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.keyboard.press('a')
  await expect(dock(page).locator('form :focus')).toHaveCount(1)
  await page.keyboard.type('Read all of it.')
  await page.keyboard.press('Control+Enter')
  await expect(row(page, 'upper-case')).toContainText('approved by Rex Reviewer')
  await goInDesk(page, 'review?view=decided')
  await expect(row(page, 'upper-case')).toContainText('approved by Rex Reviewer')
})

test('an editor manages the content and sees nothing of the review', async () => {
  await shared.desk.token({ subject: 'edda', role: 'editor' })
  const page = await shared.open('edda')
  await expect(areas(page)).toHaveText(['Content', 'My releases'])
  await expect(page.getByRole('heading', { name: 'Blog' })).toBeVisible()
  await expectCommandsToAreas(page, ['Content', 'Blog', 'Showcase', 'Media', 'My releases'])
  await page.getByRole('button', { name: 'New post' }).click()
  await expect(page).toHaveURL(/\/content\/blog\/\d+$/)
  await expectNotAllowed(
    page,
    'review/1',
    'This page is for reviewers and administrators, and you are an editor.',
  )
})

test('an administrator chooses a role, with what it may do', async () => {
  await shared.desk.token({ subject: 'nova', name: 'Nova Lind' })
  const page = await shared.open('ilse', { at: '/people' })
  await page.getByRole('link', { name: /Nova Lind/ }).click()
  await expect(page.getByText('Publishes releases.', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Reviewer')
  await expect(page.getByRole('status').filter({ hasText: 'is now a reviewer.' })).toBeVisible()
  await expect(page.getByText('Publishes releases, and reviews and revokes those of everyone.')).toBeVisible()
})
