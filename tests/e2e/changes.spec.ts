import type { Locator, Page } from '@playwright/test'
import { assembleNamedWat, assembleWat } from '../support/assemble-wat.ts'
import { expect, test } from '../support/desk-browser.ts'
import type { Desk } from '../support/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const imports = {
  fd_read: '(param i32 i32 i32 i32) (result i32)',
  fd_write: '(param i32 i32 i32 i32) (result i32)',
  proc_exit: '(param i32)',
  path_open: '(param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)',
  fd_prestat_get: '(param i32 i32) (result i32)',
  fd_prestat_dir_name: '(param i32 i32 i32) (result i32)',
  fd_filestat_get: '(param i32 i32) (result i32)',
}

const wat = (names: (keyof typeof imports)[], rest = '(memory (export "memory") 1 4)'): string =>
  `(module ${names
    .map((name) => `(import "wasi_snapshot_preview1" "${name}" (func ${imports[name]}))`)
    .join(' ')} ${rest} (func (export "_start")))`

const small = wat(['fd_read', 'fd_write', 'proc_exit'])
const withFiles = wat(
  ['fd_read', 'fd_write', 'path_open', 'fd_prestat_get', 'fd_prestat_dir_name', 'fd_filestat_get'],
  '(memory (export "memory") 17 256) (table 3 funcref) (func $helper (export "helper")) (data (i32.const 0) "abcdef")',
)

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const changes = (page: Page): Locator => part(page, 'What changed')
/** The value beside a label. */
const field = (page: Page, label: string): Locator =>
  changes(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
    .locator('dd')

const before = {
  description: 'Turns CSV into JSON. Detects commas and semicolons.',
  inputs: 'CSV in UTF-8 on standard input. Up to 4 MiB.',
  readme: `# upper-case\n\n${Array.from({ length: 20 }, (_, at) => `Line ${at}.`).join('\n')}\n\nIt reads 4 MiB.\nThe end.`,
  examples: [
    { input: 'a', output: 'A' },
    { input: 'b', output: 'B' },
  ],
}
const after = {
  version: '1.1.0',
  description: 'Turns CSV into JSON. Detects commas, semicolons and tabs.',
  inputs: 'CSV in UTF-8 on standard input. Up to 8 MiB.',
  readme: before.readme
    .replace('It reads 4 MiB.', 'It reads 8 MiB.\nIt reads files.')
    .replace('The end.', ''),
  examples: [
    { input: 'b', output: 'b' },
    { input: 'a', output: 'A' },
    { input: 'c', output: 'C' },
  ],
}

/** 1.0.0 is approved, 1.1.0 is pending and has the small module or the one that is given. */
const submitBoth = async (desk: Desk, source = small): Promise<number> => {
  await desk.decide(await desk.submit(before), 'approved')
  return desk.submit(after, undefined, await assembleNamedWat(source))
}

test('against the last approved version every field that differs is a text, and the others are named', async ({
  desk,
}) => {
  await submitBoth(desk)
  const page = await desk.open('ilse')
  await expect(page.getByRole('heading', { name: 'upper-case 1.1.0' })).toBeVisible()
  await expect(changes(page).getByRole('button', { name: /^1\.0\.0, approved/ })).toBeVisible()

  await expect(field(page, 'description').locator('del')).toHaveText(['and'])
  await expect(field(page, 'description').locator('ins')).toHaveText([',', 'and tabs'])
  await expect(field(page, 'inputs').locator('del')).toHaveText('4')
  await expect(field(page, 'inputs').locator('ins')).toHaveText('8')
  await expect(field(page, 'as before')).toHaveText(
    'outputs, license, category, name, runtime, entrypoint, pricing, schemaVersion',
  )
  await expect(field(page, 'readme')).toContainText('+2 −2 lines')
  await expect(field(page, 'examples')).toContainText('1 added, 1 changed, 1 as before')
  // Two fields, the readme and the examples; the same bytes but for the names that nobody calls by.
  const tab = page.getByRole('navigation', { name: 'Sections of the release' }).getByRole('button', {
    name: /^Changes/,
  })
  await expect(tab).toContainText('4')

  await page.keyboard.press('d')
  await expect(changes(page)).toBeFocused()
  await expect(tab).toHaveAttribute('aria-current', 'true')
  const readme = page.getByRole('group', { name: 'Differences in the readme' })
  await expect(readme).toContainText('20 lines as before')
  await expect(readme.locator('del')).toHaveText(['4', 'The end.'])
  await expect(readme.locator('ins')).toHaveText(['8', 'It reads files.'])
  const examples = field(page, 'examples')
  await expect(examples.getByRole('heading')).toHaveText(['Example 1, changed', 'Example 3, added'])
  await expect(examples).toContainText('input: as before, 1 line')
  await changes(page).getByRole('button', { name: 'Shorter diff' }).click()
  await expect(readme).toHaveCount(0)
  await page.getByRole('button', { name: 'Show the readme' }).click()
  await expect(readme).toBeVisible()
})

test('imports and exports that came and went, and the size of each section', async ({ desk }) => {
  await submitBoth(desk, withFiles)
  const page = await desk.open('ilse')
  await expect(changes(page)).toContainText('Imports +4 −1, 2 as before')
  await expect(changes(page).locator('li ins')).toHaveText([
    'fd_filestat_get',
    'fd_prestat_dir_name',
    'fd_prestat_get',
    'path_open',
    'function helper',
  ])
  await expect(changes(page).locator('li del')).toHaveText(['proc_exit'])
  await expect(changes(page)).toContainText('Exports +1 −0, 2 as before')
  await expect(field(page, 'memory').locator('ins')).toHaveText(['17', '256', '1.1', '16 MiB'])

  await page.keyboard.press('d')
  const sizes = changes(page).getByRole('table')
  await expect(sizes.getByRole('columnheader')).toHaveText([
    'Size by section, bytes',
    '1.0.0',
    '1.1.0',
    'change',
  ])
  const row = (name: string): Locator =>
    sizes.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  await expect(row('data').getByRole('cell')).toHaveText(['none', '12', 'new'])
  await expect(row('everything').getByRole('cell').last()).toHaveText('+131 %')
})

test('any other version can be chosen, or none', async ({ desk }) => {
  await desk.decide(await desk.submit({ version: '0.9.0', license: 'Apache-2.0' }), 'rejected')
  await submitBoth(desk)
  const page = await desk.open('ilse')
  const choose = async (from: RegExp, to: RegExp): Promise<void> => {
    await changes(page).getByRole('button', { name: from }).click()
    await page.getByRole('menuitemradio', { name: to }).click()
  }
  await expect(field(page, 'license')).toHaveCount(0)
  await choose(/^1\.0\.0, approved/, /^0\.9\.0\s*rejected/)
  await expect(field(page, 'license').locator('del')).toHaveText('Apache-2.0')
  await expect(field(page, 'license').locator('ins')).toHaveText('MIT')
  await choose(/^0\.9\.0, rejected/, /all as new/)
  await expect(field(page, 'license').locator('ins')).toHaveText('MIT')
  await expect(field(page, 'license').locator('del')).toHaveCount(0)
})

test('the same file under another version is said to be the same', async ({ desk }) => {
  await desk.decide(await desk.submit(), 'approved')
  await desk.submit({ version: '1.0.1' })
  const page = await desk.open('ilse')
  await expect(changes(page)).toContainText('The module is the one of 1.0.0, byte for byte')
})

test('a first submission shows everything as new, and what cannot be seen as its number', async ({
  desk,
}) => {
  await desk.submit({ description: 'Turns pay\u200Bload into capitals.' })
  const page = await desk.open('ilse')
  await expect(changes(page)).toContainText('first of its name')
  await expect(field(page, 'description').locator('ins')).toHaveText('Turns payU+200Bload into capitals.')
  await expect(field(page, 'version').locator('ins')).toHaveText('1.0.0')
  await expect(field(page, 'readme')).toContainText('+3 −0 lines')
  await expect(field(page, 'examples')).toContainText('1 added')
  await expect(field(page, 'as before')).toHaveCount(0)
  await expect(changes(page)).toContainText('Imports +3 −0')
  await expect(changes(page).getByRole('table').getByRole('columnheader')).toHaveText([
    'Size by section, bytes',
    '1.0.0',
  ])
})

test('a readme of 20,000 characters is compared and shown to its last line, as one scrolls', async ({
  desk,
}) => {
  const lines = (of: string): string =>
    Array.from({ length: 150 }, (_, at) => `${of}${at}`.padEnd(130, of))
      .join('\n')
      .slice(0, 20_000)
  await desk.decide(await desk.submit({ readme: lines('a') }), 'approved')
  await desk.submit({ version: '1.1.0', readme: lines('b') })
  const page = await desk.open('ilse')
  await expect(field(page, 'readme')).toContainText('+150 −150 lines')
  await page.getByRole('button', { name: 'Show the readme' }).click()
  const readme = page.getByRole('group', { name: 'Differences in the readme' })
  await expect(readme.locator('del').first()).toHaveText('a0'.padEnd(130, 'a'))
  // The lines come as one gets to them; until then it is said how many there are.
  const more = readme.getByRole('button', { name: /^\d[\d,]* more lines?$/ })
  await expect(more).toBeVisible()
  await page.keyboard.press('1')
  await expect(async () => {
    await page.keyboard.press('Space')
    await expect(more).toHaveCount(0, { timeout: 100 })
  }).toPass({ intervals: [0] })
  await expect(readme.locator('ins').last()).toHaveText('b149'.padEnd(130, 'b'))
})

test('what it can do stands in plain words, with the functions one click away', async ({ desk }) => {
  await desk.submit({}, undefined, await assembleWat(withFiles))
  const page = await desk.open('ilse')
  const can = part(page, 'What it can do')
  await expect(can).toContainText('6 imports')
  const files = can.getByRole('row').filter({ hasText: 'Reads files' })
  await expect(files.getByRole('cell')).toHaveText(['', 'not run'])
  await can.getByRole('button', { name: 'Reads files: path_open and 3 more' }).click()
  await expect(files.getByRole('listitem')).toHaveText([
    'path_open',
    'fd_prestat_get',
    'fd_prestat_dir_name',
    'fd_filestat_get',
  ])
  await expect(can).toContainText('Never asked for: arguments, the environment, the clock')
  await expect(can).toContainText('Memory 17 to 256 pages (1.1 to 16 MiB). No start function.')
})

test('the columns follow the width of the pane, and Tab follows what one sees', async ({ desk }) => {
  await submitBoth(desk, withFiles)
  const page = await desk.open('ilse')
  await expect(field(page, 'as before')).toBeVisible()
  const titles = [
    'What changed',
    'What it can do',
    'What it did',
    'Findings',
    'Inside',
    'Documents',
    'History',
  ]
  const boxes = async (width: number): Promise<{ x: number; y: number; width: number }[]> => {
    await page.setViewportSize({ width, height: 1000 })
    const all = await Promise.all(titles.map((title) => part(page, title).boundingBox()))
    return all.map((box) => box ?? { x: -1, y: -1, width: 0 })
  }
  const columnsOf = (all: { x: number }[]): number[] => {
    const lefts = [...new Set(all.map(({ x }) => Math.round(x)))].toSorted((a, b) => a - b)
    return all.map(({ x }) => lefts.indexOf(Math.round(x)))
  }
  const wide = await boxes(1920)
  expect(columnsOf(wide)).toEqual([0, 1, 0, 1, 2, 2, 2])
  expect(Math.round(wide[1]?.width ?? 0)).toBe(368)
  const middle = await boxes(1440)
  expect(columnsOf(middle)).toEqual([0, 1, 0, 1, 0, 0, 0])
  expect(Math.round(middle[1]?.width ?? 0)).toBe(364)
  const narrow = await boxes(1280)
  expect(columnsOf(narrow)).toEqual([0, 1, 0, 1, 0, 0, 0])
  expect(Math.round(narrow[1]?.width ?? 0)).toBe(336)
  const one = await boxes(860)
  expect(columnsOf(one)).toEqual([0, 0, 0, 0, 0, 0, 0])
  const tops = one.map(({ y }) => y)
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))

  // In one column the documents come after the findings, for the keyboard as well.
  await page.keyboard.press('1')
  await expect(changes(page)).toBeFocused()
  const reached: string[] = []
  for (let step = 0; step < 60 && reached.at(-1) !== 'Documents'; step += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press('Tab')
    // oxlint-disable-next-line no-await-in-loop
    const title = await page.evaluate(
      () => document.activeElement?.closest('section[id]')?.getAttribute('aria-label') ?? '',
    )
    if (reached.at(-1) !== title) reached.push(title)
  }
  expect(reached).toEqual(titles.filter((title) => reached.includes(title)))
  expect(reached).toContain('What it did')
})

test('digits jump to the sections and put the focus there', async ({ desk }) => {
  await submitBoth(desk)
  const page = await desk.open('ilse')
  await expect(field(page, 'as before')).toBeVisible()
  const titles = [
    'What changed',
    'What it can do',
    'What it did',
    'Findings',
    'Inside',
    'Documents',
    'History',
  ]
  for (const [index, title] of titles.entries()) {
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press(String(index + 1))
    // oxlint-disable-next-line no-await-in-loop
    await expect(part(page, title)).toBeFocused()
  }
  const strip = page.getByRole('navigation', { name: 'Sections of the release' })
  await expect(strip.locator('[aria-current="true"]')).toContainText('History')
  // The window itself has not moved.
  expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
})
