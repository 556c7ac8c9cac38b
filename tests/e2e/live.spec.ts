import { skipWithout } from '../support/programs.ts'
import { dock, expect, listed, row, test } from '../support/desk/desk-browser.ts'
import { callAsPage } from '../support/desk/desk-page.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const soon = { timeout: 2000 }

test('what happens elsewhere appears within two seconds, and no row moves', async ({ desk }) => {
  const first = await desk.submit()
  await desk.submit({ name: 'word-count' })
  const page = await desk.open('ilse')
  await expect(row(page, 'word-count')).toBeVisible()
  await page.getByRole('button', { name: 'Reject…' }).click()
  await page.getByLabel('Notes to Marta Okafor').fill('Still thinking about it')

  await desk.submit({ name: 'hex-dump' })
  await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible(soon)
  await expect(page.locator('[data-row]')).toHaveCount(2)
  await expect(page.getByLabel('Notes to Marta Okafor')).toHaveValue('Still thinking about it')

  expect(await desk.decide(first, 'approved')).toBe(200)
  await expect(row(page, 'upper-case')).toContainText('approved by Tomáš Novák', soon)
  await expect(page.locator('[data-row]').first()).toContainText('upper-case')
  await expect(dock(page)).toContainText('Tomáš Novák approved this a moment ago')
  await expect(dock(page)).toContainText('Your notes were not sent; they are kept here until you leave.')

  await page.keyboard.press('.')
  await expect(row(page, 'hex-dump')).toBeVisible()
  await expect(listed(page, 'upper-case')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /Review/ })).toContainText('2')
})

test.describe('where nothing is held', () => {
  test.use({ settings: { undoMs: 0 } })

  test('two people decide at once: the second is told by whom, and keeps the notes', async ({ desk }) => {
    await desk.submit()
    const [ilse, tomas] = await Promise.all([desk.open('ilse'), desk.open('tomas')])
    // Without the stream the second desk cannot know before it asks.
    await tomas.route('**/desk/api/events*', (route) => route.abort())
    await tomas.reload()
    await tomas.getByRole('button', { name: 'Reject…' }).click()
    await tomas.getByLabel('Notes to Marta Okafor').fill('The readme names no server.')

    await ilse.getByRole('button', { name: 'Approve…' }).click()
    await ilse.getByLabel('Notes, which become public').fill('Same imports, examples pass.')
    await ilse.keyboard.press('Control+Enter')
    await expect(row(ilse, 'upper-case')).toContainText('approved by Ilse Verbeek')

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
})

test('the stream is closed while the desk is hidden, and what was missed is read again', async ({ desk }) => {
  const page = await desk.open('ilse')
  const other = await desk.open('tomas')
  await other.goto(`${desk.dashboard}/desk/services`)
  const openDesks = async (): Promise<number> =>
    (await callAsPage<{ openDesks: number }>(other, '/services')).openDesks
  await expect.poll(openDesks).toBe(2)

  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await hide(true)
  await expect.poll(openDesks).toBe(1)
  await desk.submit()
  await hide(false)
  await expect.poll(openDesks).toBe(2)
  await expect(page.getByRole('link', { name: /Review/ })).toContainText('1', soon)
})

test('a server that stops is said to be away; what was read stays', async ({ desk }) => {
  await desk.submit()
  const page = await desk.open('ilse')
  await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  desk.kill('SIGTERM')
  const { status } = await desk.ended
  // An open stream that held up the end would be cut off at the stop's time limit, with another status.
  expect(status).toBe(0)
  await expect(page.getByText(/No answer from Skilldock for/)).toBeVisible({ timeout: 8000 })
  await expect(page.getByText('Services unknown')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
})
