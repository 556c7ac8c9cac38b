import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { projectRoot } from '../support/server/command-line.ts'
import { dock, expect, row, test, toast } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { getDeskRelease } from '../support/desk/desk-client.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
test.use({ settings: { dailySubmissions: 100 } })

interface Submission {
  id: number
  title: string
  grew: boolean
}

const skills = [
  'base64-encode',
  'crc32',
  'hex-dump',
  'isbn-check',
  'json-minify',
  'luhn-check',
  'roman-to-decimal',
  'rot13',
  'tsv-to-csv',
  'unix-time',
  'word-count',
  'csv-to-json',
]

/** Twelve first submissions, four updates with the same capabilities, and four with new ones. */
async function submitTwenty(desk: Desk): Promise<Submission[]> {
  const quiet = await importingModule('fd_write', 'proc_exit')
  const reading = await importingModule('fd_write', 'proc_exit', 'path_open')
  const silent = { examples: [{ input: 'abc', output: '' }] }
  const before: Partial<SkillManifest>[] = [
    'ash',
    'birch',
    'cedar',
    'elm',
    'fir',
    'hazel',
    'larch',
    'maple',
  ].map((name) => ({ name: `${name}-count`, ...silent }))
  for (const change of before) {
    // One after another, since their order is that of the queue.
    const id = await desk.submit(change, undefined, quiet)
    expect(await desk.decide(id, 'approved')).toBe(200)
  }
  const submissions: Submission[] = []
  for (const name of skills) {
    const folder = join(projectRoot, 'resources/skills', name)
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as SkillManifest
    const id = await desk.submit(manifest, undefined, readFileSync(join(folder, `${name}.wasm`)))
    submissions.push({ id, title: `${name} ${manifest.version}`, grew: false })
  }
  for (const [index, change] of before.entries()) {
    const grew = index % 2 === 1
    const id = await desk.submit({ ...change, version: '1.1.0' }, undefined, grew ? reading : quiet)
    submissions.push({ id, title: `${change.name} 1.1.0`, grew })
  }
  return submissions
}

/** A keyboard that counts key presses, and a page that reports pointer events. */
async function keyboardOf(page: Page) {
  let count = 0
  await page.evaluate(() => {
    const pointed: string[] = []
    Object.assign(globalThis, { pointed })
    for (const type of ['pointerdown', 'mousedown', 'touchstart', 'wheel']) {
      addEventListener(type, () => pointed.push(type), true)
    }
  })
  return {
    async press(...keys: string[]): Promise<void> {
      for (const key of keys) {
        count += 1
        await page.keyboard.press(key)
      }
    },
    async type(text: string): Promise<void> {
      count += [...text].length
      await page.keyboard.type(text)
    },
    take(): number {
      const taken = count
      count = 0
      return taken
    },
    pointed: () => page.evaluate(() => (globalThis as typeof globalThis & { pointed: string[] }).pointed),
  }
}

test('twenty submissions are reviewed by keyboard alone', async ({ desk }) => {
  test.setTimeout(120_000)
  const submissions = await submitTwenty(desk)
  const page = await desk.open('ilse')
  const keys = await keyboardOf(page)
  const counts: { how: string; keys: number }[] = []
  const expected = new Map<number, string>()
  const at = (title: string) => expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()

  for (const [index, { id, title, grew }] of submissions.entries()) {
    await at(title)
    keys.take()
    await keys.press('e')
    await expect(page.getByRole('region', { name: 'Test runs' }).getByText('passed').first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Test runs' }).getByText('not run yet')).toHaveCount(0)
    if (grew) {
      await keys.press('t')
      await expect(dock(page).getByRole('checkbox', { name: /It can now read files/ })).toBeChecked()
    }
    if (index % 5 === 3) {
      await keys.press('r')
      await expect(page.getByRole('checkbox', { name: 'Manifest and module differ' })).toBeFocused()
      await keys.press('2', '5')
      await keys.type('Add one with a file.')
      await keys.press('Control+Enter')
      expected.set(id, 'rejected')
    } else {
      await keys.press('a')
      await expect(page.getByRole('checkbox', { name: 'Behaves as documented' })).toBeFocused()
      await keys.press('1', 'Control+Enter')
      expected.set(id, 'approved')
    }
    await expect(toast(page)).toContainText(new RegExp(`${title} (?:is|will be) `))
    counts.push({ how: `${grew ? 'confirm, ' : ''}${expected.get(id)}`, keys: keys.take() })
    if (index === 7) {
      // The decision is undone, reconsidered and reversed.
      await keys.press('z')
      await expect(row(page, title.split(' ')[0] ?? '')).not.toContainText('approving')
      await keys.press('k')
      await at(title)
      await keys.press('r', '3', 'Control+Enter')
      await expect(toast(page)).toContainText(new RegExp(`${title} (?:is|will be) rejected`))
      expected.set(id, 'rejected')
    }
    // oxlint-enable no-await-in-loop
  }
  expect(await keys.pointed()).toEqual([])

  const client = await desk.client('tomas')
  for (const [id, status] of expected) {
    await expect.poll(async () => (await getDeskRelease(client, id)).status, { timeout: 15_000 }).toBe(status)
    const { statement } = await getDeskRelease(client, id)
    expect(statement?.decidedBy).toBe('Ilse Verbeek')
    expect(statement?.evidence?.observation?.runs.every(({ passed }) => passed)).toBe(true)
  }
  const plain = counts.filter(({ how }) => how === 'approved').map(({ keys: count }) => count)
  const confirmed = counts.filter(({ how }) => how === 'confirm, approved').map(({ keys: count }) => count)
  console.log(
    `keystrokes for one review with its examples run: ${Math.max(...plain)} to approve, ${Math.max(...confirmed)} with new capabilities confirmed`,
  )
  expect(Math.max(...plain)).toBeLessThanOrEqual(4)
  expect(Math.max(...confirmed)).toBeLessThanOrEqual(5)
})
