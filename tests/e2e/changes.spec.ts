import type { Locator, Page } from '@playwright/test'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { part, submitBoth, withFiles } from '../support/desk/release-pair.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const changes = (page: Page): Locator => part(page, 'Changes')
/** The value of a field. */
const field = (page: Page, label: string): Locator =>
  changes(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
    .locator('dd')

/** Each test submits its own releases. */
const shared = shareDesk()

test('a release is compared with another version: manifest, imports, exports and sizes', async () => {
  test.slow()
  const rejected = await shared.desk.submit({ version: '0.9.0', license: 'Apache-2.0' })
  await shared.desk.decide(rejected, 'rejected')
  const pending = await submitBoth(shared.desk, 'upper-case')
  const page = await shared.open('ilse', { at: `/review/${pending}` })

  await test.step('compared with the latest approved version, changed fields have a text diff and unchanged ones are listed', async () => {
    await expect(page.getByRole('heading', { name: 'upper-case 1.1.0' })).toBeVisible()
    await expect(changes(page).getByRole('button', { name: /^1\.0\.0, approved/ })).toBeVisible()

    await expect(field(page, 'description').locator('del')).toHaveText(['and'])
    await expect(field(page, 'description').locator('ins')).toHaveText([',', 'and tabs'])
    await expect(field(page, 'inputs').locator('del')).toHaveText('4')
    await expect(field(page, 'inputs').locator('ins')).toHaveText('8')
    await expect(field(page, 'unchanged')).toHaveText(
      'outputs, license, category, name, runtime, entrypoint, pricing, schemaVersion',
    )
    await expect(field(page, 'readme')).toContainText('+2 −2 lines')
    await expect(field(page, 'examples')).toContainText('1 added, 1 changed, 1 unchanged')
    // Four changes: two fields, plus the readme and the examples. The modules differ only in debug names.
    const tab = page.getByRole('navigation', { name: 'Release sections' }).getByRole('button', {
      name: /^Changes/,
    })
    await expect(tab).toContainText('4')

    await page.keyboard.press('d')
    await expect(changes(page)).toBeFocused()
    await expect(tab).toHaveAttribute('aria-current', 'true')
    const readme = page.getByRole('group', { name: 'Differences in the readme' })
    await expect(readme).toContainText('20 unchanged lines')
    await expect(readme.locator('del')).toHaveText(['4', 'The end.'])
    await expect(readme.locator('ins')).toHaveText(['8', 'It reads files.'])
    const examples = field(page, 'examples')
    await expect(examples.getByRole('heading')).toHaveText(['Example 1, changed', 'Example 3, added'])
    await expect(examples).toContainText('input: unchanged, 1 line')
    await changes(page).getByRole('button', { name: 'Compact diff' }).click()
    await expect(readme).toHaveCount(0)
    await page.getByRole('button', { name: 'Show the readme' }).click()
    await expect(readme).toBeVisible()
  })

  await test.step('any other version can be selected, or none', async () => {
    const choose = async (from: RegExp, to: RegExp): Promise<void> => {
      await changes(page).getByRole('button', { name: from }).click()
      await page.getByRole('menuitemradio', { name: to }).click()
    }
    await expect(field(page, 'license')).toHaveCount(0)
    await choose(/^1\.0\.0, approved/, /^0\.9\.0\s*rejected/)
    await expect(field(page, 'license').locator('del')).toHaveText('Apache-2.0')
    await expect(field(page, 'license').locator('ins')).toHaveText('MIT')
    await choose(/^0\.9\.0, rejected/, /all new/)
    await expect(field(page, 'license').locator('ins')).toHaveText('MIT')
    await expect(field(page, 'license').locator('del')).toHaveCount(0)
  })

  await test.step('added and removed imports and exports, and the size of each section', async () => {
    await goInDesk(page, `review/${await submitBoth(shared.desk, 'reads-files', withFiles)}`)
    await expect(changes(page)).toContainText('Imports +4 −1, 2 unchanged')
    await expect(changes(page).locator('li ins')).toHaveText([
      'fd_filestat_get',
      'fd_prestat_dir_name',
      'fd_prestat_get',
      'path_open',
      'function helper',
    ])
    await expect(changes(page).locator('li del')).toHaveText(['proc_exit'])
    await expect(changes(page)).toContainText('Exports +1 −0, 2 unchanged')
    await expect(field(page, 'memory').locator('ins')).toHaveText(['17', '256', '1.1', '16 MiB'])

    await page.keyboard.press('d')
    const sizes = changes(page).getByRole('table')
    await expect(sizes.getByRole('columnheader')).toHaveText([
      'Section size (bytes)',
      '1.0.0',
      '1.1.0',
      'Change',
    ])
    const row = (name: string): Locator =>
      sizes.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    await expect(row('data').getByRole('cell')).toHaveText(['none', '12', 'new'])
    await expect(row('Total').getByRole('cell').last()).toHaveText('+131%')
  })

  await test.step('an identical module in another version is reported as identical', async () => {
    await shared.desk.decide(await shared.desk.submit({ name: 'same-file' }), 'approved')
    const id = await shared.desk.submit({ name: 'same-file', version: '1.0.1' })
    await goInDesk(page, `review/${id}`)
    await expect(changes(page)).toContainText('The module is identical to the one in 1.0.0')
  })

  await test.step('a first submission shows everything as new, and invisible characters as code points', async () => {
    const description = 'Turns pay\u200Bload into capitals.'
    await goInDesk(page, `review/${await shared.desk.submit({ name: 'first-of-all', description })}`)
    await expect(changes(page)).toContainText('first release')
    await expect(field(page, 'description').locator('ins')).toHaveText('Turns payU+200Bload into capitals.')
    await expect(field(page, 'version').locator('ins')).toHaveText('1.0.0')
    await expect(field(page, 'readme')).toContainText('+3 −0 lines')
    await expect(field(page, 'examples')).toContainText('1 added')
    await expect(field(page, 'unchanged')).toHaveCount(0)
    await expect(changes(page)).toContainText('Imports +3 −0')
    await expect(changes(page).getByRole('table').getByRole('columnheader')).toHaveText([
      'Section size (bytes)',
      '1.0.0',
    ])
  })
})

test('the diff of a readme of 20,000 characters loads more lines on demand, up to the last', async () => {
  const lines = (of: string): string =>
    Array.from({ length: 150 }, (_, at) => `${of}${at}`.padEnd(130, of))
      .join('\n')
      .slice(0, 20_000)
  await shared.desk.decide(await shared.desk.submit({ name: 'long-readme', readme: lines('a') }), 'approved')
  const id = await shared.desk.submit({ name: 'long-readme', version: '1.1.0', readme: lines('b') })
  const page = await shared.open('ilse', { at: `/review/${id}` })
  await expect(field(page, 'readme')).toContainText('+150 −150 lines')
  await page.getByRole('button', { name: 'Show the readme' }).click()
  const readme = page.getByRole('group', { name: 'Differences in the readme' })
  await expect(readme.locator('del').first()).toHaveText('a0'.padEnd(130, 'a'))
  // Lines are loaded on demand; until then their number is shown.
  const more = readme.getByRole('button', { name: /^\d[\d,]* more lines?$/ })
  await expect(more).toBeVisible()
  await page.keyboard.press('1')
  const pressSpace = async (): Promise<number> => {
    await page.keyboard.press('Space')
    // Without a frame after each key, the keys scroll past the button before the page sees it.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    return more.count()
  }
  await expect.poll(pressSpace, { intervals: [0] }).toBe(0)
  await expect(readme.locator('ins').last()).toHaveText('b149'.padEnd(130, 'b'))
})
