import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { dock, expect, listed, row, test } from '../support/desk/desk-browser.ts'
import { callAsPage } from '../support/desk/desk-page.ts'
import { submitProject } from '../support/server/projects.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
test.use({ settings: { undoMs: 0 } })

test('an open desk shows changes made elsewhere, and the end of the server', async ({
  separateDesk: desk,
}) => {
  test.setTimeout(90_000)
  const first = await desk.submit()
  const page = await desk.open('ilse')
  const tomas = await desk.open('tomas', { at: '/services' })
  await test.step('the stream is closed while the desk is hidden, and missed changes are fetched afterwards', async () => {
    const openDesks = async (): Promise<number> =>
      (await callAsPage<{ openDesks: number }>(tomas, '/services')).openDesks
    await expect.poll(openDesks).toBe(2)

    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await hide(true)
    await expect.poll(openDesks).toBe(1)
    await desk.submit({ name: 'word-count' })
    await hide(false)
    await expect.poll(openDesks).toBe(2)
    await expect(page.getByRole('link', { name: /Review/ })).toContainText('2')
    // The count and the list are fetched separately; the key does nothing before the list has news.
    await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible()
  })
  await page.keyboard.press('.')
  await expect(row(page, 'word-count')).toBeVisible()
  await test.step('changes made elsewhere appear without moving rows', async () => {
    await expect(row(page, 'word-count')).toBeVisible()
    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.getByLabel('Review notes for Marta Okafor').fill('Still thinking about it')

    await desk.submit({ name: 'hex-dump' })
    await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible()
    await expect(page.locator('[data-row]')).toHaveCount(2)
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue('Still thinking about it')

    expect(await desk.decide(first, 'approved')).toBe(200)
    await expect(row(page, 'upper-case')).toContainText('approved by Tomáš Novák')
    await expect(page.locator('[data-row]').first()).toContainText('upper-case')
    await expect(dock(page)).toContainText('Tomáš Novák approved this a moment ago')
    await expect(dock(page)).toContainText(
      'Your notes were not sent. Copy them before you close this notice.',
    )

    await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible()
    await page.keyboard.press('.')
    await expect(row(page, 'hex-dump')).toBeVisible()
    await expect(listed(page, 'upper-case')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /Review/ })).toContainText('2')
  })
  await test.step('of two simultaneous decisions, the second desk shows who decided, and keeps the notes', async () => {
    await row(page, 'word-count').click()
    await tomas.goto(`${desk.dashboard}/desk/review`)
    // Without the event stream, the second desk learns of the decision only from the response.
    await tomas.route('**/desk/api/events*', (route) => route.abort())
    await tomas.reload()
    await tomas.getByRole('button', { name: 'Reject…' }).click()
    await tomas.getByLabel('Review notes for Marta Okafor').fill('The readme names no server.')

    await page.getByRole('button', { name: 'Approve…' }).click()
    await page.getByLabel('Review notes (public)').fill('Same imports, examples pass.')
    await page.keyboard.press('Control+Enter')
    await expect(row(page, 'word-count')).toContainText('approved by Ilse Verbeek')

    await tomas.keyboard.press('Control+Enter')
    await expect(dock(tomas)).toContainText('Ilse Verbeek approved this')
    await expect(dock(tomas)).toContainText('“Same imports, examples pass.”')
    await expect(dock(tomas)).toContainText('Your notes were not sent')
    await tomas.keyboard.press('Escape')
    await expect(dock(tomas).getByRole('button', { name: 'Revoke…' })).toBeVisible()
    expect(
      await tomas.evaluate(
        () => Object.entries(sessionStorage).find(([key]) => key.includes('rejected'))?.[1],
      ),
    ).toBe('The readme names no server.')
  })
  await test.step('a stopped server is reported, and loaded data stays visible', async () => {
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
    desk.kill('SIGTERM')
    const { status } = await desk.ended
    expect(status).toBe(0)
    await expect(page.getByText(/Connection lost \d+ .+ ago/)).toBeVisible()
    await expect(page.getByText('Service status unknown')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
  })
})

test('a page that is opened reads its list once, and again only after a change', async ({ desk }) => {
  await desk.submit()
  const page = await desk.open('ilse')
  // Otherwise the reads of this page could be counted too.
  await expect(row(page, 'upper-case')).toBeVisible()
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/desk/api/releases?view=pending&sort=waiting&offset=0'))
      reads.push(request.url())
  })
  const letGo = await holdEvents(page)
  await page.reload()
  await expect(row(page, 'upper-case')).toBeVisible()
  letGo()
  // Events come in order, so the first one has been processed when this change of something else is shown.
  await submitProject(desk.registry, { title: 'Another subject' })
  await expect(page.getByRole('link', { name: /Content/ })).toContainText('1')
  expect(reads).toHaveLength(1)
  await desk.submit({ name: 'word-count' })
  await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible()
})

test('what changes after the first read, but before the first event, is shown', async ({ desk }) => {
  await desk.submit()
  const page = await desk.open('ilse')
  const letGo = await holdEvents(page)
  await page.reload()
  await expect(row(page, 'upper-case')).toBeVisible()
  await desk.submit({ name: 'word-count' })
  letGo()
  await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Review/ })).toContainText('2')
})

const elsewhere = 'changes made elsewhere are shown within two seconds'
test(elsewhere, { tag: '@alone' }, async ({ desk }) => {
  const soon = { timeout: 2000 }
  const first = await desk.submit()
  const page = await desk.open('ilse')
  await expect(row(page, 'upper-case')).toBeVisible()
  await desk.submit({ name: 'word-count' })
  await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible(soon)
  expect(await desk.decide(first, 'approved')).toBe(200)
  await expect(row(page, 'upper-case')).toContainText('approved by Tomáš Novák', soon)
})

/** Delays the event stream of a page until the returned function is called. */
async function holdEvents(page: Page): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/desk/api/events*', async (route) => {
    await held
    await route.continue()
  })
  return letGo
}
