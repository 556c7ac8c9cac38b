import { skipWithout } from '../support/programs.ts'
import { expect, test } from '../support/desk-browser.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

test('a sign-in link opens the desk once, and its code leaves the address', async ({ desk, page }) => {
  const link = await desk.link('ilse')
  await page.goto(link)
  await expect(page.getByRole('link', { name: 'People' })).toBeVisible()
  expect(page.url()).not.toContain('code')

  await page.getByRole('button', { name: /theme, tokens/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await expect(page.getByText('skilldock desk')).toBeVisible()

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  expect(page.url()).not.toContain('code')
})

test('the first administrator is made with the link of the first run', async ({ emptyDesk, page }) => {
  await page.goto(`${emptyDesk.dashboard}/desk/`)
  await expect(page.getByRole('heading', { name: 'Nobody administers this registry yet' })).toBeVisible()

  await page.goto(await emptyDesk.link())
  await expect(page.getByRole('heading', { name: 'Set up your registry' })).toBeVisible()
  await expect(page.getByText(emptyDesk.folder)).toBeVisible()
  await page.getByLabel('Your name').fill('Ilse Verbeek')
  await expect(page.getByLabel('Sign-in name')).toHaveValue('ilse.verbeek')
  await page.keyboard.press('Control+Enter')

  await expect(page.getByText('Nothing has been submitted yet').first()).toBeVisible()
  await expect(page.getByText(`${emptyDesk.registry}/api/marketplace/publish`)).toBeVisible()
  await page.getByRole('button', { name: /Ilse Verbeek/ }).click()
  await expect(page.getByText('Ilse Verbeek, administrator')).toBeVisible()
})

test('a session that was ended elsewhere leads to the signed-out page and back to the place', async ({
  desk,
}) => {
  const id = await desk.submit()
  const page = await desk.open('ilse')
  await page.goto(`${desk.dashboard}/desk/review/${id}`)
  await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  await page.context().clearCookies()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
})

test('the theme is chosen, kept, and there before the first paint', async ({ desk }) => {
  const page = await desk.open('ilse')
  const scheme = page.locator('html')
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
  await page.getByRole('button', { name: /theme, tokens/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(await scheme.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
    'rgb(21, 20, 18)',
  )
})

test('no page breaks the content security policy', async ({ desk }) => {
  const id = await desk.submit({
    readme: '# Title\n\n<script>alert(1)</script> ![x](https://example.com/x.png)',
  })
  const page = await desk.open('ilse')
  const said: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(error.message))
  for (const path of [
    `review/${id}`,
    'review?view=all',
    'history',
    'reasons',
    'people',
    'services',
    'own',
    'nowhere',
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    await page.goto(`${desk.dashboard}/desk/${path}`)
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.getByText('Both services running')).toBeVisible()
  }
  expect(said).toEqual([])
})
