import { skipWithout } from '../support/programs.ts'
import { expect, row, shareDesk, test } from '../support/desk/desk-browser.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
test.use({ settings: { undoMs: 500 } })

test('a complete review by keyboard alone', async ({ desk }) => {
  await desk.submit()
  await desk.submit({ name: 'word-count' })
  await desk.submit({ name: 'hex-dump' })
  const page = await desk.open('ilse')
  const keys = page.keyboard
  await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()

  await keys.press('j')
  await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
  await expect(row(page, 'word-count')).toBeFocused()
  await keys.press('s')
  await expect(page.getByText('digest matches')).toBeVisible()

  await keys.press('r')
  await expect(page.getByRole('checkbox', { name: 'Manifest and module differ' })).toBeFocused()
  await keys.press('2')
  await keys.press('Tab')
  const notes = page.getByLabel('Review notes for Marta Okafor')
  await expect(notes).toBeFocused()
  await keys.type(' Example 1: jar, ajar.')
  await expect(notes).toHaveValue('An example does not produce the expected output. Example 1: jar, ajar.')
  await keys.press('Escape')
  await expect(notes).toHaveCount(0)
  await keys.press('r')
  await expect(notes).toHaveValue('An example does not produce the expected output. Example 1: jar, ajar.')
  await keys.press('Control+Enter')
  await expect(row(page, 'word-count')).toContainText('rejected by Ilse Verbeek')
  await expect(row(page, 'hex-dump')).toBeFocused()

  await keys.press('a')
  await expect(page.getByRole('checkbox', { name: 'Behaves as documented' })).toBeFocused()
  // Typing text instead of selecting a template continues in the notes.
  await keys.type('Reads and writes, nothing else.')
  await expect(page.getByLabel('Review notes (public)')).toBeFocused()
  await expect(page.getByLabel('Review notes (public)')).toHaveValue('Reads and writes, nothing else.')
  await keys.press('Control+Enter')
  await expect(row(page, 'hex-dump')).toContainText('approved by Ilse Verbeek')
  await expect(row(page, 'upper-case')).toBeFocused()

  await keys.press('j')
  await keys.press('j')
  await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
  await keys.press('x')
  await expect(page.getByLabel('Type the skill name to confirm')).toBeFocused()
  await keys.type('hex-dump')
  await keys.press('Tab')
  await keys.type('Changed my mind about it.')
  await keys.press('Control+Enter')
  await expect(row(page, 'hex-dump')).toContainText('revoked by Ilse Verbeek')
})

test.describe('without decisions', () => {
  const shared = shareDesk(async (desk) => {
    await desk.submit()
    await desk.submit({ name: 'word-count' })
  })

  test('regions, areas, search, sections and the list of shortcuts', async () => {
    const page = await shared.open('ilse')
    const keys = page.keyboard
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    const region = () =>
      page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))
    const walk: (string | null | undefined)[] = []
    for (let step = 0; step < 5; step += 1) {
      await keys.press('F6')
      walk.push(await region())
    }
    expect(walk).toEqual(['bar', 'list', 'sheet', 'dock', 'bar'])

    await keys.press('7')
    await expect(page.getByRole('region', { name: 'History' })).toBeFocused()
    await keys.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await keys.type('aar')
    await expect(page.getByRole('searchbox')).toHaveValue('aar')
    await expect(page.getByLabel(/^Review notes/)).toHaveCount(0)
    await keys.press('Escape')
    await keys.press('Escape')

    await keys.press('?')
    const sheet = page.getByRole('dialog')
    await expect(sheet).toContainText('Approve upper-case 1.0.0…')
    await sheet.getByRole('checkbox', { name: /Single-key shortcuts/ }).uncheck()
    await keys.press('Escape')
    await expect(sheet).toHaveCount(0)
    await keys.press('r')
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await keys.press('g')
    await keys.press('s')
    await expect(page).toHaveURL(/review/)

    await keys.press('Control+k')
    await keys.type('go to services')
    await keys.press('Enter')
    await expect(page.getByRole('heading', { name: 'Services', exact: true })).toBeVisible()
    await keys.press('Control+k')
    await keys.type('upper')
    await expect(page.getByRole('dialog')).toContainText('by Marta Okafor')
    await keys.press('Enter')
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  })

  test('a key that stays pressed decides, undoes and types once, and moves on', async () => {
    const page = await shared.open('ilse', { at: '/review' })
    const stayPressed = async (key: string): Promise<void> => {
      for (let repeat = 0; repeat < 4; repeat += 1) await page.keyboard.down(key)
      await page.keyboard.up(key)
    }
    for (const name of ['upper-case', 'word-count']) {
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await stayPressed('r')
      const notes = page.getByLabel('Review notes for Marta Okafor')
      await expect(notes).toHaveValue('')
      await notes.fill('The examples do not match.')
      await notes.press('Control+Enter')
      await expect(page.locator('[data-toast]')).toContainText(`${name} 1.0.0 will be rejected in`)
    }
    await stayPressed('z')
    await expect(page.locator('[data-toast]')).toContainText('upper-case 1.0.0 will be rejected in')
    await expect(page.locator('[data-row]').filter({ hasText: 'word-count' })).not.toContainText('rejecting')
    await expect(page.locator('[data-row]').filter({ hasText: 'upper-case' })).toContainText('rejecting')
    await page.keyboard.press('z')
    await expect(page.locator('[data-toast]')).toContainText('is pending again')
    await page.keyboard.press('k')
    await stayPressed('j')
    await expect(page.getByRole('heading', { level: 1, name: 'word-count' })).toBeVisible()
  })

  test('keys do nothing on the page that a dialog covers', async () => {
    const page = await shared.open('ilse', { at: '/review' })
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await page.keyboard.press('r')
    const notes = page.getByLabel('Review notes for Marta Okafor')
    await notes.fill('The examples do not match.')
    await notes.press('Tab')
    await page.keyboard.press('?')
    await expect(page.getByLabel('Filter shortcuts')).toBeFocused()

    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('F6')
    await expect(page.getByLabel('Filter shortcuts')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(notes).toHaveValue('The examples do not match.')
    await notes.press('Control+Enter')
    await expect(page.locator('[data-toast]')).toContainText('upper-case 1.0.0 will be rejected in')
    await page.keyboard.press('z')
    await expect(page.locator('[data-toast]')).toContainText('is pending again')
  })

  test('the palette lists every action, and actions move the focus', async () => {
    const page = await shared.open('ilse')
    const keys = page.keyboard
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    const find = async (text: string): Promise<void> => {
      await keys.press('Control+k')
      await keys.type(text)
      // The available actions depend on data that may still be loading.
      await expect(page.getByRole('dialog').locator('[data-action]').first()).toBeVisible()
      await keys.press('Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await find('reject upper')
    await expect(page.getByRole('checkbox', { name: 'Manifest and module differ' })).toBeFocused()
    await find('edit templates')
    await expect(page.getByRole('heading', { name: 'Review note templates' })).toBeVisible()
    // Actions without a shortcut are found by the label of their button.
    await find('remove “may not be redistributed')
    await expect(page.getByText('Unsaved changes.')).toBeVisible()
    await find('back to the decision')
    await expect(page.getByRole('checkbox', { name: 'Manifest and module differ' })).toBeFocused()
    await find('close and keep the notes')
    await find('next release')
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await expect(row(page, 'word-count')).toBeFocused()
    await find('show all releases')
    await expect(page).toHaveURL(/view=all/)
    await find('sort: name')
    await expect(page).toHaveURL(/sort=name/)
    await find('next region')
    await find('go to audit log')
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
    const download = page.waitForEvent('download')
    await find('export audit log as csv')
    expect((await download).suggestedFilename()).toMatch(/history.*\.csv$/)
    await find('go to people')
    await find('sign-in link')
    await expect(page.getByRole('textbox', { name: /link/ })).toBeVisible()

    // Closed without a selection, it restores the focus.
    await page.getByRole('searchbox').focus()
    await keys.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    await keys.press('Escape')
    await expect(page.getByRole('searchbox')).toBeFocused()
  })

  test('in a narrow window the queue is a drawer', async () => {
    const page = await shared.open('ilse')
    await page.setViewportSize({ width: 960, height: 640 })
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await expect(row(page, 'word-count')).toBeHidden()
    await page.keyboard.press('l')
    await row(page, 'word-count').click()
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await expect(row(page, 'word-count')).toBeHidden()

    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)

    // Opened before the first release is selected, it stays open afterwards.
    const known = Promise.withResolvers<void>()
    await page.route('**/desk/api/releases?*', async (route) => {
      await known.promise
      await route.continue()
    })
    await page.goto(new URL('/desk/review', page.url()).href)
    await page.getByRole('button', { name: 'Queue' }).waitFor()
    await page.keyboard.press('l')
    await expect(page.getByRole('complementary', { name: 'Queue' })).toBeVisible()
    known.resolve()
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await expect(row(page, 'word-count')).toBeVisible()
  })
})
