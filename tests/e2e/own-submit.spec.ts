import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { expect, shareDesk, test, toast } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { manifest } from '../support/server/publish.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

interface Sent {
  name: string
  mimeType: string
  buffer: Buffer
}

const source = '(module (memory (export "memory") 1) (func (export "_start")))'
const smallest = async (): Promise<Buffer> => Buffer.from(await assembleWat(source))
const moduleFile = (buffer: Buffer, name = 'skill.wasm'): Sent => ({
  name,
  mimeType: 'application/wasm',
  buffer,
})
const manifestFile = (content: unknown): Sent => ({
  name: 'manifest.json',
  mimeType: 'application/json',
  // Formatted with line breaks, as in an editor.
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content, null, 2)),
})

/** Clicks the button and picks the file in the file dialog. */
const choose = async (page: Page, button: string, file: Sent): Promise<void> => {
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await dialog).setFiles(file)
}
const chooseManifest = (page: Page, content: unknown): Promise<void> =>
  choose(page, 'Choose manifest.json…', manifestFile(content))
const chooseModule = (page: Page, buffer: Buffer): Promise<void> =>
  choose(page, 'Choose .wasm module…', moduleFile(buffer))

const part = (page: Page, name: 'Manifest' | 'Module') => page.getByRole('region', { name, exact: true })
const submitButton = (page: Page) => page.getByRole('button', { name: 'Submit for review' })
const progress = (page: Page) => page.getByRole('progressbar', { name: 'Uploading the release' })
const releases = (page: Page) => page.getByRole('list', { name: 'My releases' }).locator(':scope > li')

const shared = shareDesk()

const openSubmit = async (subject: string): Promise<Page> => {
  const page = await shared.open(subject, { at: '/own' })
  await page.getByRole('link', { name: 'Submit a release' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Submit a release' })).toBeVisible()
  return page
}

test('an upload shows its progress and can be canceled, by keyboard alone', async () => {
  const page = await openSubmit('ilse')
  await chooseManifest(page, manifest({ name: 'large-one' }))
  await chooseModule(page, Buffer.from(padModule(await smallest(), 8_000_000)))
  await expect(part(page, 'Module')).toContainText('8,000,000 bytes')
  const network = await page.context().newCDPSession(page)
  const throttle = (uploadThroughput: number): Promise<unknown> =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(400_000)
  await submitButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(progress(page)).toBeVisible()
  await expect.poll(async () => Number(await progress(page).getAttribute('aria-valuenow'))).toBeGreaterThan(0)
  await expect(page.getByRole('button', { name: 'Choose manifest.json…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  expect(await violations(page, 'sending')).toEqual([])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Upload canceled. Your files are still selected.')).toBeVisible()
  await expect(submitButton(page)).toBeFocused()
  await expect(progress(page)).toHaveCount(0)
  await throttle(-1)
  await page.keyboard.press('Control+Enter')
  await expect(releases(page).first()).toContainText('large-one 1.0.0')
  await expect(releases(page)).toHaveCount(1)
  // Decided, so that it is not in the queue before the releases of the other test.
  const own = await (await shared.desk.client('ilse')).get<{ items: { id: number }[] }>('/own/releases')
  for (const { id } of own.body.items) {
    expect(await shared.desk.decide(id, 'rejected')).toBe(200)
  }
})

test('a publisher submits releases from the desk', async () => {
  test.setTimeout(120_000)
  const { desk } = shared
  const page = await openSubmit('marta')
  await test.step('problems of a manifest or a module are listed immediately, by field, and block the submission', async () => {
    const problems = part(page, 'Manifest').getByRole('list', { name: 'Problems' }).getByRole('listitem')
    await chooseManifest(page, { ...manifest(), name: 'Upper Case', version: '1.0', licence: 'MIT' })
    await expect(part(page, 'Manifest')).toContainText('The manifest has 3 problems')
    await expect(problems).toHaveText([
      'name must start with a letter and consist of lowercase letters and digits, with single hyphens between words',
      'version must be three numbers without leading zeros, such as 1.0.0',
      'licence is not a known field; remove it',
    ])
    await chooseModule(page, Buffer.from('not a module'))
    await expect(part(page, 'Module')).toContainText('The file is not a WebAssembly module.')
    expect(await violations(page, 'problems')).toEqual([])
    await expect(page.getByText('Fix the manifest first.')).toBeVisible()
    await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'true')
    await submitButton(page).click({ force: true })
    await page.keyboard.press('Control+Enter')

    await chooseManifest(page, '{ "schemaVersion": 1,')
    await expect(problems.first()).toContainText('manifest')
    await chooseManifest(page, manifest({ readme: 'x'.repeat(26_000) }))
    await expect(part(page, 'Manifest')).toContainText('the limit is 25,600 bytes')
    await chooseModule(page, Buffer.from('short'))
    await expect(part(page, 'Module')).toContainText('The file is 5 bytes; a module is at least 8 bytes.')
    await expect(progress(page)).toHaveCount(0)
    expect((await desk.client('marta').then((marta) => marta.get('/own/releases'))).body).toMatchObject({
      total: 0,
    })
  })
  await goInDesk(page, 'own')
  await page.getByRole('link', { name: 'Submit a release' }).click()
  await test.step('both files can be dropped together, and a file of another type is named', async () => {
    const wasm = await smallest()
    const drop = async (files: readonly Sent[]): Promise<void> => {
      const sent = files.map(({ buffer, ...rest }) => ({ ...rest, base64: buffer.toString('base64') }))
      const transfer = await page.evaluateHandle((all) => {
        const made = new DataTransfer()
        for (const { name, mimeType, base64 } of all) {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
          made.items.add(new File([bytes], name, { type: mimeType }))
        }
        return made
      }, sent)
      const sheet = page.locator('[data-region="sheet"]')
      await sheet.dispatchEvent('dragover', { dataTransfer: transfer })
      await expect(sheet).toHaveAttribute('data-over', 'true')
      await sheet.dispatchEvent('drop', { dataTransfer: transfer })
      await expect(sheet).not.toHaveAttribute('data-over')
    }
    await drop([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }])
    await expect(page.getByRole('alert')).toContainText('notes.txt is neither a .json file nor a .wasm file.')
    await drop([moduleFile(wasm, 'a.wasm'), moduleFile(wasm, 'b.wasm')])
    await expect(page.getByRole('alert')).toContainText('You dropped 2 .wasm files.')
    await expect(page.getByText('No module selected.')).toBeVisible()
    await drop([moduleFile(wasm), manifestFile(manifest({ name: 'dropped' }))])
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(part(page, 'Manifest')).toContainText('dropped')
    await submitButton(page).click()
    await expect(releases(page).first()).toContainText('dropped 1.0.0')
  })
  await test.step('a refusal says what is wrong and where, keeps the chosen file, and disappears once it is fixed', async () => {
    await desk.submit({ name: 'taken' }, await desk.token({ subject: 'sana', name: 'Sana Iqbal' }))
    await page.getByRole('link', { name: 'Submit a release' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Submit a release' })).toBeVisible()
    await chooseManifest(page, manifest({ name: 'taken' }))
    await chooseModule(page, await smallest())
    await submitButton(page).click()
    const refusal = page.getByRole('alert')
    await expect(refusal).toContainText('Name already taken')
    await expect(refusal).toContainText('The name taken belongs to another publisher.')
    await expect(refusal).toContainText('Change name in the manifest and choose it again.')
    await expect(refusal).toContainText('Your files are still selected.')
    expect(await violations(page, 'refused')).toEqual([])
    await expect(part(page, 'Module')).toContainText('SHA-256')

    await chooseManifest(page, manifest({ name: 'free' }))
    await expect(refusal).toHaveCount(0)
    await chooseModule(page, Buffer.from('0061736d01000000', 'hex'))
    await submitButton(page).click()
    await expect(refusal).toContainText('Invalid module')
    await expect.poll(() => refusal.getByRole('listitem').count()).toBeGreaterThan(0)

    await chooseModule(page, await smallest())
    await submitButton(page).click()
    await expect(releases(page).first()).toContainText('free 1.0.0')
    await expect(releases(page).first()).toBeFocused()
  })
  await test.step('two files are picked, checked and submitted, and the release is listed with its queue position', async () => {
    await page.getByRole('link', { name: 'Submit a release' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Submit a release' })).toBeVisible()
    const wasm = await smallest()
    expect(await violations(page, 'nothing picked')).toEqual([])
    await expect(page.getByText('Choose a manifest and a module.')).toBeVisible()
    await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'true')

    await chooseManifest(page, manifest({ name: 'base-echo', version: '0.3.0' }))
    await expect(part(page, 'Manifest')).toContainText('manifest.json')
    await expect(part(page, 'Manifest')).toContainText('base-echo')
    await expect(part(page, 'Manifest')).toContainText('0.3.0')
    await expect(page.getByText('Choose a module.')).toBeVisible()
    await chooseModule(page, wasm)
    await expect(part(page, 'Module')).toContainText(`${wasm.length} bytes`)
    await expect(part(page, 'Module')).toContainText(createHash('sha256').update(wasm).digest('hex'))
    expect(await violations(page, 'both picked')).toEqual([])

    await submitButton(page).click()
    await expect(page.getByRole('heading', { level: 1, name: 'My releases' })).toBeVisible()
    await expect(toast(page)).toContainText('base-echo 0.3.0 was submitted for review.')
    await expect(releases(page).first()).toContainText('base-echo 0.3.0')
    await expect(releases(page).first()).toContainText('Pending, #4 of 4 in queue')
    await expect(releases(page).first()).toBeFocused()
    await page.reload()
    await expect(releases(page)).toHaveCount(3)
    await expect(releases(page).first()).not.toBeFocused()
  })
  await test.step('a publisher over quota sees when the next submission is possible', async () => {
    const changes = { dailySubmissions: 1 }
    expect((await (await desk.client('ilse')).send('PUT', '/settings', { changes })).status).toBe(200)
    await page.getByRole('link', { name: 'Submit a release' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Submit a release' })).toBeVisible()
    await chooseManifest(page, manifest({ name: 'second' }))
    await chooseModule(page, await smallest())
    await submitButton(page).click()
    await expect(page.getByRole('alert')).toContainText('Daily limit reached')
    await expect(page.getByRole('alert')).toContainText('You can submit again in 24 h. Try again after')
    await expect(part(page, 'Manifest')).toContainText('second')
  })
})
