import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { after, before, part, withFiles } from '../support/desk/release-pair.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const titles = ['Changes', 'Capabilities', 'Test runs', 'Findings', 'Module', 'Documents', 'History']

/** The releases of marta, one of which is pending and next in the queue. */
const shared = shareDesk(async (desk) => {
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  await desk.decide(await desk.submit({ name: 'hex-dump' }), 'rejected')
  await desk.submit({}, undefined, await assembleWat(withFiles))
})

test('header, capabilities and documents of a release are shown', async () => {
  test.slow()
  const page = await shared.open('ilse')
  await test.step('the header shows the publisher and earlier decisions on their releases', async () => {
    const sheet = page.getByRole('region', { name: 'Release upper-case 1.0.0' })
    await expect(sheet).toContainText(/1 approved, 1 rejected since \d+ \w+/)
    await expect(sheet).toContainText(/Pending, .*next in queue/)
    await expect(sheet.getByText(/^[a-f0-9]{64}$/)).toBeVisible()
    await expect(sheet.getByRole('link', { name: 'Marta Okafor' })).toHaveAttribute('href', /\/people\/\d+$/)
    const marks = sheet
      .getByRole('list', { name: "Earlier decisions on this publisher's releases" })
      .getByRole('link')
    await expect(marks.first()).toHaveAccessibleName('word-count 1.0.0 approved')
    await expect(marks.last()).toHaveAccessibleName('hex-dump 1.0.0 rejected')
    await marks.last().focus()
    await expect(page.getByRole('tooltip')).toHaveText('hex-dump 1.0.0 rejected')
    await marks.last().press('Enter')
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
  })
  await test.step('capabilities are listed in plain words, with their functions one click away', async () => {
    await page.goBack()
    const can = part(page, 'Capabilities')
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
    await expect(can).toContainText('Not imported: arguments, the environment, the clock')
    await expect(can).toContainText('Memory: 17 to 256 pages (1.1 to 16 MiB). No start function.')
  })
  await test.step('a readme is shown as source while the server cannot render it', async () => {
    await page.route('**/desk/api/markdown', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('group', { name: 'Readme' })).toContainText('# upper-case')
    await expect(page.getByText("Shown as plain text. Can't reach Skilldock.")).toBeVisible()
    await expect(part(page, 'Changes')).toBeVisible()
  })
})

test('the sections of a release are reached by keys and follow the width of the pane', async () => {
  test.slow()
  const { desk } = shared
  const token = await desk.token({ subject: 'jonas', name: 'Jonas Weber' })
  const name = 'csv-to-json'
  await desk.decide(await desk.submit({ ...before, name }, token), 'approved')
  const id = await desk.submit(
    { ...after, name, description: 'Turns CS\u200BV into JSON. Detects tabs.' },
    token,
    await assembleWat(withFiles),
  )
  const page = await shared.open('ilse', { at: `/review/${id}` })
  await expect(part(page, 'Changes').getByText('unchanged').first()).toBeVisible()
  await test.step('digits jump to the sections and focus them', async () => {
    for (const [index, title] of titles.entries()) {
      await page.keyboard.press(String(index + 1))
      await expect(part(page, title)).toBeFocused()
    }
    const strip = page.getByRole('navigation', { name: 'Release sections' })
    await expect(strip.locator('[aria-current="true"]')).toContainText('History')
    // The window itself has not scrolled.
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
  })
  await test.step('axe finds nothing in a full diff or the dismissal form, in light and dark', async () => {
    await page.keyboard.press('d')
    await page.getByRole('button', { name: /^Reads files: / }).click()
    await page.getByRole('button', { name: 'Tables, names, sections, features' }).click()
    await page.keyboard.press('f')
    await page.keyboard.press('h')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Write at least 5 characters.')).toBeVisible()
    expect(await violations(page, 'the sheet', '[data-region="sheet"]')).toEqual([])
  })
  await test.step('the columns follow the width of the pane, and Tab follows the visual order', async () => {
    await page.reload()
    await expect(part(page, 'Changes').getByText('unchanged').first()).toBeVisible()
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

    // In a single column the documents come after the findings, including in tab order.
    await page.keyboard.press('1')
    await expect(part(page, 'Changes')).toBeFocused()
    const reached: string[] = []
    for (let step = 0; step < 60 && reached.at(-1) !== 'Documents'; step += 1) {
      await page.keyboard.press('Tab')
      const title = await page.evaluate(
        () => document.activeElement?.closest('section[id]')?.getAttribute('aria-label') ?? '',
      )
      if (reached.at(-1) !== title) reached.push(title)
    }
    expect(reached).toEqual(titles.filter((title) => reached.includes(title)))
    expect(reached).toContain('Test runs')
  })
})
