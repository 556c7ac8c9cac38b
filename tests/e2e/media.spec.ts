import type { Page } from '@playwright/test'
import type { Image } from '../../src/shared/contracts/images.ts'
import { expect, test, toast } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { handMadePng } from '../support/fixtures/images.ts'
import type { Bytes } from '../support/fixtures/images.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'
import { addImage, photoWithPlace, smallAnimation, submitProject } from '../support/server/projects.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

/** Opens the library without reloading the desk. */
const goToMedia = async (page: Page): Promise<void> => {
  await goInDesk(page, 'content/media')
  await expect(page.getByRole('heading', { level: 1, name: 'Media' })).toBeVisible()
}
const upload = (page: Page, name: string, buffer: Bytes): Promise<void> =>
  page
    .getByLabel('Upload', { exact: true })
    .setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.from(buffer) })
const table = (page: Page) => page.getByRole('grid', { name: 'Images' })
const rows = (page: Page) => table(page).locator('[data-row-index]')
const details = (page: Page) => page.getByRole('complementary', { name: 'Image details' })
const deletionPanel = (page: Page) => page.getByRole('region', { name: 'Deletion' })

test('the library, from its first upload to hundreds of images', async ({ desk }) => {
  test.slow()
  const place = await photoWithPlace()
  const page = await desk.open('ilse', { at: '/content/blog' })

  await test.step('a failure to load the images is explained and can be retried', async () => {
    await page.route('**/desk/api/images?*', (route) =>
      route.fulfill({ status: 403, json: { error: 'Not now.', code: 'FORBIDDEN' } }),
    )
    await goToMedia(page)
    await expect(page.getByRole('alert')).toContainText("Couldn't load images")
    await page.unroute('**/desk/api/images?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No images yet')).toBeVisible()
  })

  await test.step('uploads show their progress, can be canceled, and say why they were rejected', async () => {
    const input = page.getByLabel('Upload', { exact: true })
    const photo = await photoWithPlace()
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
    await input.setInputFiles([
      file('good.jpg', photo),
      file('page.png', Buffer.from('<html>not an image</html>')),
    ])
    await expect(rows(page)).toHaveCount(1)
    const uploads = page.getByRole('list', { name: 'Uploads' })
    await expect(uploads.getByRole('alert')).toContainText('page.png')
    await expect(uploads.getByRole('alert')).not.toHaveText('page.png')
    await uploads.getByRole('button', { name: 'Remove page.png from the list' }).click()
    await expect(uploads).toHaveCount(0)

    // The request is held until the upload has been canceled, and never reaches the server.
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/desk/api/images', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await held
      return route.abort().catch(() => undefined)
    })
    await input.setInputFiles([file('slow.png', handMadePng(64, 64))])
    await expect(uploads.getByRole('progressbar', { name: 'Uploading slow.png' })).toBeVisible()
    await uploads.getByRole('button', { name: 'Cancel slow.png' }).click()
    await expect(uploads).toHaveCount(0)
    letGo()
    await page.unrouteAll({ behavior: 'wait' })
    await expect(rows(page)).toHaveCount(1)

    await page.route('**/desk/api/images', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ contentType: 'text/html', body: '<h1>Sign in to the Wi-Fi</h1>' })
        : route.continue(),
    )
    await input.setInputFiles([file('answered.png', handMadePng(64, 64))])
    await expect(uploads.getByRole('alert')).toContainText(
      'Unexpected response from the server (status 200).',
    )
    await uploads.getByRole('button', { name: 'Remove answered.png from the list' }).click()
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('an image is dropped on the page', async () => {
    const bytes = [...handMadePng(80, 64)]
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(content)], 'dropped.png', { type: 'image/png' }))
      return data
    }, bytes)
    const target = page.getByRole('heading', { level: 1, name: 'Media' })
    await target.dispatchEvent('dragover', { dataTransfer: transfer })
    await target.dispatchEvent('drop', { dataTransfer: transfer })
    await expect(rows(page)).toHaveCount(2)
    await expect(rows(page).first()).toContainText('80 × 64')
  })

  await test.step('unused images are deleted, one or all, with their number and size', async () => {
    const small = handMadePng(30, 10)
    const size = small.length
    await upload(page, 'small.png', small)
    await expect(rows(page)).toHaveCount(3)
    await submitProject(desk.registry, { title: 'Project One', pictures: [{ bytes: place, alt: 'Noise.' }] })
    await page.getByRole('button', { name: '1 new image' }).click()
    await expect(rows(page)).toHaveCount(4)
    await expect(deletionPanel(page)).toContainText('3 images')

    await table(page).focus()
    // The newest image is in use and cannot be marked.
    await page.keyboard.press(' ')
    await expect(table(page).locator('[aria-selected="true"]')).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await expect(rows(page).nth(1)).toHaveAttribute('aria-selected', 'true')
    await expect(deletionPanel(page)).toContainText(`Selected: 1 image, ${size} bytes.`)
    await page.keyboard.press('x')
    await expect(deletionPanel(page)).toContainText(
      "will be permanently deleted. It isn't used in any saved post or project.",
    )
    await page.keyboard.press('Escape')
    await expect(rows(page)).toHaveCount(4)
    await page.keyboard.press('x')
    await page.keyboard.press('Control+Enter')
    await expect(toast(page)).toContainText(`1 image deleted, ${size} bytes freed.`)
    await expect(rows(page)).toHaveCount(3)
    await expect(table(page)).toBeFocused()

    await page.getByRole('button', { name: 'Select all 2 unused' }).click()
    await deletionPanel(page).getByRole('button', { name: 'Delete…' }).click()
    await deletionPanel(page).getByRole('button', { name: 'Delete 2 images' }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(deletionPanel(page)).toContainText('All images are in use. None can be deleted.')
    await page.getByRole('link', { name: /^Unused/ }).click()
    await expect(page.getByText('All images are in use', { exact: true })).toBeVisible()
  })

  await test.step('every image is listed with its type, size, location data and uses', async () => {
    await goToMedia(page)
    await expect(rows(page)).toHaveCount(1)
    await upload(page, 'small.webp', await smallAnimation())
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByText(/^2 images, /)).toBeVisible()
    const [newest, first] = [rows(page).nth(0), rows(page).nth(1)]
    await expect(newest).toContainText('WebP')
    await expect(newest.locator('[data-column="frames"]')).toHaveText('3')
    await expect(newest).toContainText('not used')
    await expect(newest).toContainText('Ilse Verbeek')
    await expect(first).toContainText('320 × 200')
    await expect(first).toContainText('GPS')
    await expect(first).toContainText('public form')

    // The keyboard opens the details, and a link in them leads to the project.
    await table(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(details(page)).toContainText("This image contains location data. Published copies don't.")
    await expect(details(page)).toContainText(`${place.length.toLocaleString('en-US')} bytes`)
    await expect(details(page).getByRole('button', { name: 'Delete…' })).toHaveCount(0)
    await page.reload()
    await expect(details(page)).toContainText('JPEG, 320 × 200')
    await details(page).getByRole('link', { name: 'Project One' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Project One' })).toBeVisible()
  })

  await test.step('an image that comes into use before its deletion stays, with a message', async () => {
    const bytes = await photoWithPlace()
    await goToMedia(page)
    await expect(rows(page)).toHaveCount(2)
    await upload(page, 'photo.jpg', bytes)
    await page.getByRole('button', { name: 'Select all 2 unused' }).click()
    await expect(deletionPanel(page)).toContainText('Selected: 2 images')
    await submitProject(desk.registry, { title: 'Project Two', pictures: [{ bytes, alt: 'Noise.' }] })
    await page.keyboard.press('x')
    await deletionPanel(page)
      .getByRole('button', { name: /^Delete \d/ })
      .click()
    await expect(toast(page)).toContainText("1 of 2 images couldn't be deleted.")
    await expect(rows(page)).toHaveCount(2)
    await expect(rows(page).first()).toContainText('Project Two')
  })

  await test.step('axe finds nothing in the library, its details and its dock, in light and dark', async () => {
    await upload(page, 'small.png', handMadePng(10, 10))
    await expect(rows(page)).toHaveCount(3)
    await upload(page, 'page.png', Buffer.from('<html>'))
    await expect(page.getByRole('alert')).toContainText('page.png')
    await table(page).focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(details(page)).toBeVisible()
    const found = await violations(page, 'details')
    await page.keyboard.press('x')
    await expect(deletionPanel(page)).toContainText('will be permanently deleted')
    found.push(...(await violations(page, 'deleting')))
    expect(found).toEqual([])
  })

  await test.step('of hundreds of images only the visible ones are in the document, and all can be reached', async () => {
    const one = await addImage(await desk.client('ilse'), handMadePng(10, 10))
    // More than two pages, in the server's format.
    const total = 250
    const item = (index: number): Image & { usedBy: [] } => ({
      ...one,
      sha256: index.toString(16).padStart(12, '0').padEnd(64, '0'),
      width: index + 1,
      usedBy: [],
    })
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
    await expect.poll(() => rows(page).count()).toBeLessThan(40)
    await table(page).focus()
    await page.keyboard.press('End')
    await expect(rows(page).last()).toContainText('250 × 10')
    await expect.poll(() => rows(page).count()).toBeLessThan(40)
  })
})
