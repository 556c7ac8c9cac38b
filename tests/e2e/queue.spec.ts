import type { Page } from '@playwright/test'
import { expect, reject, row, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { importingModule } from '../support/fixtures/importing-module.ts'
import { skipWithout } from '../support/programs.ts'
import { seedReleases } from '../support/server/seed-releases.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const many = 10_000

async function seed(desk: Desk, count: number): Promise<void> {
  const ilse = await withDatabase(desk, async ({ reader }) =>
    reader.prepare<[], number>("SELECT id FROM people WHERE subject = 'ilse'").pluck().get(),
  )
  await seedReleases(desk, count, ilse ?? 0)
}

const scroller = (page: Page) =>
  page.getByRole('complementary', { name: 'Queue' }).locator('ul').first().locator('xpath=../..')

/** Records the offsets of the queue pages requested after this call. */
function watchPages(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/desk/api/releases') offsets.push(Number(searchParams.get('offset') ?? 0))
  })
  return offsets
}

test('the first view fetches only its own scripts, and those of other pages follow', async ({ desk }) => {
  const page = await desk.open('ilse')
  // Ends the reads of the page that signed in, so that they are not recorded.
  await page.goto('about:blank')
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await page.goto(`${desk.dashboard}/desk/review`)
  const indexOf = (part: string): number => fetched.findIndex((path) => path.includes(part))
  await expect.poll(() => indexOf('/agents-area-')).toBeGreaterThan(0)
  const first = fetched.slice(0, indexOf('/desk/api/releases'))
  const names = first.map((path) => /(?<name>[^/]+?)(?:-[\w-]{8})?\.js$/.exec(path)?.groups?.['name'])
  expect(names.filter((name) => name !== undefined).toSorted()).toEqual([
    'common',
    'index',
    'mantine',
    'react',
    'rolldown-runtime',
    'scheme',
  ])
})

const smoothly = 'ten thousand releases scroll smoothly, and a jump loads only the rows at its target'
test(smoothly, { tag: '@alone' }, async ({ desk }) => {
  await seed(desk, many)
  const page = await desk.open('ilse')
  await page.goto(`${desk.dashboard}/desk/review?view=all&sort=waiting`)
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await expect(page.locator('[data-row]').first()).toContainText('skill-echo-0')

  const frames = await scroller(page).evaluate(async (element) => {
    const tasks: number[] = []
    const observer = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    )
    observer.observe({ entryTypes: ['longtask'] })
    const times: number[] = []
    for (let frame = 0; frame < 150; frame += 1) {
      const began = performance.now()
      element.scrollBy({ top: 260 })
      await new Promise((resolve) => requestAnimationFrame(resolve))
      times.push(performance.now() - began)
    }
    observer.disconnect()
    times.sort((a, b) => a - b)
    return {
      median: times[Math.floor(times.length / 2)] ?? 0,
      p95: times[Math.floor(times.length * 0.95)] ?? 0,
      longest: Math.max(0, ...tasks),
    }
  })
  console.log(
    `scrolling 10,000 releases: median frame ${frames.median.toFixed(1)} ms, 95 % within ${frames.p95.toFixed(1)} ms, longest task ${frames.longest.toFixed(0)} ms`,
  )
  // A busy machine may drop frames, but must not drop every one.
  expect(frames.median).toBeLessThan(100)
  await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(5)
  // Only visible rows are in the document.
  await expect.poll(() => page.locator('[data-row]').count()).toBeLessThan(60)

  const offsets = watchPages(page)
  await scroller(page).evaluate((element) => element.scrollTo({ top: 52 * 7000 }))
  await expect(page.locator('[aria-posinset="7003"]')).toContainText('skill-echo-1400')
  // A last page of the previous position may still arrive, but no page in between is requested.
  expect(offsets.filter((offset) => offset > 1200 && offset < 6800)).toEqual([])
  // Each page once, however often a change elsewhere reloads it.
  const there = new Set(offsets.filter((offset) => offset >= 6800))
  expect(there.size).toBeGreaterThan(0)
  expect(there.size).toBeLessThan(6)

  // J continues from the visible rows, and K goes back past the first loaded row.
  await page.locator('[aria-posinset="7003"] a').click()
  await page.keyboard.press('j')
  await expect(page.locator('[aria-posinset="7004"] a')).toBeFocused()
  await scroller(page).evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(page.locator('[aria-posinset="1"]')).toContainText('skill-echo-0')
})

test('decided releases keep their position, even across pages loaded later', async ({ desk }) => {
  await seed(desk, 1000)
  const page = await desk.open('ilse')
  const place = (number: number) => page.locator(`[aria-posinset="${number}"]`).first()
  await expect(place(1)).toContainText('skill-echo-0')
  // Every fifth of them is pending: the numbers 1, 6, 11 and so on.
  await expect(page.getByRole('link', { name: /^Pending/ })).toContainText('200')
  await place(3).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'skill-json-2 1.0.0' })).toBeVisible()
  expect(await desk.decide(11, 'rejected')).toBe(200)
  await expect(place(3)).toContainText('rejected by Tomáš Novák')
  await scroller(page).evaluate((element) => element.scrollTo({ top: 52 * 150 }))
  await expect(place(151)).toContainText('skill-json-150')
  await expect(place(100)).toHaveCount(0)
  // Reading the rows again does not move them, although the decided one is no longer loaded.
  expect(await desk.decide(771, 'rejected')).toBe(200)
  await expect(place(155)).toContainText('rejected by Tomáš Novák')
  await expect(place(151)).toContainText('skill-json-150')
  await scroller(page).evaluate((element) => element.scrollTo({ top: 52 * 98 }))
  // Across the boundary of the loaded pages, no row is missing or duplicated.
  await expect(row(page, 'skill-echo-100')).toBeVisible()
  await expect(row(page, 'skill-date-99')).toBeVisible()
  const numbers = await page
    .locator('[data-row]')
    .evaluateAll((rows) =>
      rows.map((one) => Number(/-(\d+)/.exec(one.querySelector('span > span')?.textContent ?? '')?.[1])),
    )
  expect(numbers.length).toBeGreaterThan(10)
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  await scroller(page).evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(place(1)).toContainText('skill-echo-0')

  // A URL scrolls to its position in the queue, however far away.
  await page.goto(`${desk.dashboard}/desk/review/901`)
  await expect(page.getByRole('heading', { name: 'skill-echo-180 1.0.0' })).toBeVisible()
  await expect(row(page, 'skill-echo-180')).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: 'skill-csv-181 1.0.0' })).toBeVisible()
})

test('a row shows its check results as text, and recent decisions follow the pending releases', async ({
  desk,
}) => {
  const first = await desk.submit()
  await desk.decide(first, 'approved')
  const rejected = await desk.submit({ name: 'hex-dump' })
  await desk.decide(rejected, 'rejected')
  await desk.submit(
    { version: '1.1.0' },
    undefined,
    await importingModule('fd_read', 'fd_write', 'path_open'),
  )
  await desk.submit({ name: 'word-count', license: 'do what you like with it' })
  const page = await desk.open('ilse')
  const pending = page.getByRole('list', { name: 'Releases', exact: true })
  await expect(pending.getByRole('listitem')).toHaveCount(2)
  await expect(row(page, 'upper-case').first()).toContainText('new capabilities')
  await expect(row(page, 'word-count')).toContainText('first')
  await expect(row(page, 'word-count')).toContainText(/\d+ (warning|error)s?/)

  const lately = page.getByRole('list', { name: 'Decided today and yesterday' })
  await expect(lately.getByRole('listitem')).toHaveCount(2)
  await expect(lately.getByRole('listitem').first()).toContainText('hex-dump')
  await expect(lately.getByRole('listitem').first()).toContainText('rejected by Tomáš Novák')

  // J continues past the last pending release, and K comes back.
  await row(page, 'word-count').click()
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
  await expect(row(page, 'hex-dump')).toBeFocused()
  await page.keyboard.press('k')
  await expect(row(page, 'word-count')).toBeFocused()

  // A release decided now keeps its position until the new rows are shown.
  await reject(page, 'The license is not a valid SPDX expression.')
  await expect(row(page, 'word-count')).toContainText('rejecting')
  await expect(lately.getByRole('listitem')).toHaveCount(2)
})
