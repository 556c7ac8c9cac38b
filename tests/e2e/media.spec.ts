import type { Page } from '@playwright/test'
import type { Image } from '../../src/shared/contracts/images.ts'
import { expect, test, toast } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { handMadePng } from '../support/fixtures/pictures.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'
import { addPicture, photoWithPlace, smallAnimation, submitProject } from '../support/server/projects.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const openMedia = async (desk: Desk, search = ''): Promise<Page> => {
  const page = await desk.open('ilse', { at: `/content/media${search}` })
  await expect(page.getByRole('heading', { level: 1, name: 'Media' })).toBeVisible()
  return page
}
const table = (page: Page) => page.getByRole('grid', { name: 'Pictures' })
const rows = (page: Page) => table(page).locator('[data-row-index]')
const details = (page: Page) => page.getByRole('complementary', { name: 'The picture' })
const foot = (page: Page) => page.getByRole('region', { name: 'Deletion' })

test('every picture is listed with its kind, size, place and what uses it', async ({ desk }) => {
  const place = await photoWithPlace()
  await submitProject(desk.registry, { title: 'Project One', pictures: [{ bytes: place, alt: 'Noise.' }] })
  const client = await desk.client('ilse')
  await addPicture(client, await smallAnimation())

  const page = await openMedia(desk)
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText(/^2 pictures, /)).toBeVisible()
  const [newest, first] = [rows(page).nth(0), rows(page).nth(1)]
  await expect(newest).toContainText('WebP')
  await expect(newest.locator('[data-column="frames"]')).toHaveText('3')
  await expect(newest).toContainText('nothing')
  await expect(newest).toContainText('Ilse Verbeek')
  await expect(first).toContainText('320 × 200')
  await expect(first).toContainText('place')
  await expect(first).toContainText('public form')

  // By the keyboard: the details, and from them to what uses it.
  await table(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(details(page)).toContainText('This picture carries a place. Public copies will not.')
  await expect(details(page)).toContainText(`${place.length.toLocaleString('en-US')} bytes`)
  await expect(details(page).getByRole('button', { name: 'Delete…' })).toHaveCount(0)
  await page.reload()
  await expect(details(page)).toContainText('JPEG, 320 × 200')
  await details(page).getByRole('link', { name: 'Project One' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Project One' })).toBeVisible()
})

test('pictures that nothing uses are deleted, one or all, with their number and size named', async ({
  desk,
}) => {
  const client = await desk.client('ilse')
  const sizes: number[] = []
  for (const width of [10, 20, 30]) {
    // oxlint-disable-next-line no-await-in-loop
    sizes.push((await addPicture(client, handMadePng(width, 10))).size)
  }
  const used = await photoWithPlace()
  await submitProject(desk.registry, { title: 'Project One', pictures: [{ bytes: used, alt: 'Noise.' }] })
  const page = await openMedia(desk)
  await expect(rows(page)).toHaveCount(4)
  await expect(foot(page)).toContainText('3 pictures')

  await table(page).focus()
  // The newest is used and cannot be marked.
  await page.keyboard.press(' ')
  await expect(table(page).locator('[aria-selected="true"]')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await expect(rows(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(foot(page)).toContainText(`Selected: 1 picture, ${sizes[2]} bytes.`)
  await page.keyboard.press('x')
  await expect(foot(page)).toContainText('goes for good. Nothing that is saved uses it. There is no undo.')
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('x')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page)).toContainText(`1 picture deleted, ${sizes[2]} bytes less.`)
  await expect(rows(page)).toHaveCount(3)
  await expect(table(page)).toBeFocused()

  await page.getByRole('button', { name: 'Select all 2 unused' }).click()
  await foot(page).getByRole('button', { name: 'Delete…' }).click()
  await foot(page).getByRole('button', { name: 'Delete 2 pictures' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(foot(page)).toContainText('Every picture is used; none can be deleted.')
  await page.getByRole('link', { name: /^Unused/ }).click()
  await expect(page.getByText('Every picture is used', { exact: true })).toBeVisible()
})

test('one that is used meanwhile stays, and is told of', async ({ desk }) => {
  const client = await desk.client('ilse')
  const bytes = await photoWithPlace()
  await addPicture(client, bytes)
  await addPicture(client, handMadePng(10, 10))
  const page = await openMedia(desk)
  await page.getByRole('button', { name: 'Select all 2 unused' }).click()
  await expect(foot(page)).toContainText('Selected: 2 pictures')
  await submitProject(desk.registry, { title: 'Project One', pictures: [{ bytes, alt: 'Noise.' }] })
  await page.keyboard.press('x')
  await foot(page)
    .getByRole('button', { name: /^Delete \d/ })
    .click()
  await expect(toast(page)).toContainText('1 picture of 2 was not deleted.')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('Project One')
})

test('pictures are uploaded with progress, can be cancelled, and say why they are not taken', async ({
  desk,
}) => {
  const page = await openMedia(desk)
  await expect(page.getByText('There are no pictures yet')).toBeVisible()
  const input = page.getByLabel('Upload', { exact: true })
  const photo = await photoWithPlace()
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
  await input.setInputFiles([
    file('good.jpg', photo),
    file('page.png', Buffer.from('<html>no picture</html>')),
  ])
  await expect(rows(page)).toHaveCount(1)
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await expect(uploads.getByRole('alert')).toContainText('page.png')
  await expect(uploads.getByRole('alert')).not.toHaveText('page.png')
  await uploads.getByRole('button', { name: 'Close the message about page.png' }).click()
  await expect(uploads).toHaveCount(0)

  // The answer is held back until the upload has been cancelled.
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/desk/api/images', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue().catch(() => undefined)
  })
  await input.setInputFiles([file('slow.png', handMadePng(64, 64))])
  await expect(uploads.getByRole('progressbar', { name: 'slow.png is being uploaded' })).toBeVisible()
  await uploads.getByRole('button', { name: 'Cancel slow.png' }).click()
  await expect(uploads).toHaveCount(0)
  letGo()
  await expect(rows(page)).toHaveCount(1)
})

test('a picture is dropped on the page', async ({ desk }) => {
  const page = await openMedia(desk)
  const bytes = [...handMadePng(64, 64)]
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(content)], 'dropped.png', { type: 'image/png' }))
    return data
  }, bytes)
  const target = page.getByRole('heading', { level: 1, name: 'Media' })
  await target.dispatchEvent('dragover', { dataTransfer: transfer })
  await target.dispatchEvent('drop', { dataTransfer: transfer })
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('64 × 64')
})

test('of hundreds of pictures only those in sight are in the document, and all can be reached', async ({
  desk,
}) => {
  const client = await desk.client('ilse')
  const one = await addPicture(client, handMadePng(10, 10))
  // More than two pages of the server, as it would list them.
  const total = 250
  const item = (index: number): Image & { usedBy: [] } => ({
    ...one,
    sha256: index.toString(16).padStart(12, '0').padEnd(64, '0'),
    width: index + 1,
    usedBy: [],
  })
  const page = await desk.open('ilse')
  await page.route('**/desk/api/images?*', async (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset') ?? 0)
    const items = Array.from({ length: Math.max(0, Math.min(100, total - offset)) }, (_, index) =>
      item(offset + index),
    )
    await route.fulfill({ json: { items, total, bytes: total * one.size } })
  })
  await page.goto(`${desk.dashboard}/desk/content/media`)
  await expect(table(page)).toHaveAttribute('aria-rowcount', '251')
  await expect(rows(page).first()).toContainText('1 × 10')
  expect(await rows(page).count()).toBeLessThan(40)
  await table(page).focus()
  await page.keyboard.press('End')
  await expect(rows(page).last()).toContainText('250 × 10')
  expect(await rows(page).count()).toBeLessThan(40)
})

test('pictures that cannot be read say why, and are read again', async ({ desk }) => {
  const page = await desk.open('ilse')
  await page.route('**/desk/api/images?*', (route) =>
    route.fulfill({ status: 403, json: { error: 'Not now.', code: 'FORBIDDEN' } }),
  )
  await page.goto(`${desk.dashboard}/desk/content/media`)
  await expect(page.getByRole('alert')).toContainText('The pictures cannot be read')
  await page.unroute('**/desk/api/images?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('There are no pictures yet')).toBeVisible()
})

test('axe finds nothing in the library, its details and its dock, in light and dark', async ({ desk }) => {
  test.slow()
  const client = await desk.client('ilse')
  const pictures = [{ bytes: await photoWithPlace(), alt: 'Noise.' }]
  await submitProject(desk.registry, { title: 'Project One', pictures })
  await addPicture(client, handMadePng(10, 10))
  const page = await openMedia(desk)
  await expect(rows(page)).toHaveCount(2)
  await page
    .getByLabel('Upload', { exact: true })
    .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') })
  await expect(page.getByRole('alert')).toContainText('page.png')
  await table(page).focus()
  await page.keyboard.press(' ')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(details(page)).toBeVisible()
  const found = await violations(page, 'details')
  await page.keyboard.press('x')
  await expect(foot(page)).toContainText('There is no undo.')
  found.push(...(await violations(page, 'deleting')))
  expect(found).toEqual([])
})
