import { renameSync } from 'node:fs'
import { skipWithout } from '../support/programs.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

test('the desk says what keeps uploads from working and what to do, until they work again', async ({
  desk,
}) => {
  const page = await desk.open('tomas')
  const notice = page.getByRole('status').filter({ hasText: 'Uploads are paused' })
  await expect(page.getByText('Both services running')).toBeVisible()
  await expect(notice).toBeHidden()
  const aside = `${desk.packages}-aside`
  renameSync(desk.packages, aside)
  await expect(notice).toContainText(
    'Files cannot be stored (ENOENT). Check that the data folder exists, is writable and is not full.',
    { timeout: 15_000 },
  )
  expect(await violations(page, 'uploads paused')).toEqual([])
  renameSync(aside, desk.packages)
  await expect(notice).toBeHidden({ timeout: 15_000 })
})
