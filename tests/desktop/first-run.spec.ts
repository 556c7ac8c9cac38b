import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { prepareBackup } from '../../src/server/backup/create-backup.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { deskOrigin, deskState } from '../support/desk/desk-page.ts'
import { launchDesktop } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { skipWithout } from '../support/programs.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let app: Desktop
let folder = ''

test.beforeEach(() => {
  folder = temporaryFolder()
})

test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

/** Starts the app with its default data folder. Empty variables count as unset. */
async function launch(): Promise<Page> {
  app = await launchDesktop({
    folder,
    env: { SKILLDOCK_DATA: '', XDG_DATA_HOME: join(folder, 'usual') },
  })
  const page = await app.page()
  await deskOrigin(page)
  await expect(page.getByRole('heading', { name: 'Set up your registry' })).toBeVisible()
  return page
}

/** Sets what the system's dialog returns; without paths the person cancels. */
const choose = (...paths: string[]): Promise<void> =>
  app.evaluate(({ dialog }, filePaths) => {
    Object.assign(dialog, {
      showOpenDialog: () => Promise.resolve({ canceled: filePaths.length === 0, filePaths }),
    })
  }, paths)

const chooseButton = (page: Page) => page.getByRole('button', { name: 'Choose data folder…' })

/** Creates a data folder with one administrator. */
async function makeRegistry(subject: string): Promise<string> {
  const made = temporaryFolder()
  await withPeople((people) => people.issueToken({ subject, name: subject, role: 'administrator' }), made)
  return made
}

test('an empty folder is used immediately, and the input is kept', async () => {
  const page = await launch()
  const usual = join(folder, 'usual/skilldock')
  await expect(page.getByText(usual)).toBeVisible()
  await expect(page.getByText(/New, writable, .+ free\./)).toBeVisible()
  await page.getByLabel('Your name').fill('Ilse Verbeek')
  await page.getByRole('textbox', { name: 'Agent project (optional)' }).fill('/my/project')

  await choose()
  await chooseButton(page).click()
  await expect(page.getByText(usual)).toBeVisible()

  const chosen = temporaryFolder()
  await choose(chosen)
  await chooseButton(page).click()
  await until('the services run there', async () => existsSync(join(chosen, 'running.json')))
  await expect(page.getByText(chosen)).toBeVisible()
  await expect(page.getByText(/New, writable, .+ free\./)).toBeVisible()
  await expect(page.getByLabel('Your name')).toHaveValue('Ilse Verbeek')
  await page.getByRole('button', { name: /^Start Skilldock/ }).click()
  await expect(page.getByText('No submissions yet').first()).toBeVisible()
  expect(await deskState(page)).toMatchObject({ person: { subject: 'ilse.verbeek' } })
  expect(JSON.parse(await readFile(join(chosen, 'settings.json'), 'utf8'))).toEqual({
    workspace: '/my/project',
  })
  expect(existsSync(join(usual, 'settings.json'))).toBe(false)
})

test('a folder with other files is rejected, and one with a registry is opened on request', async () => {
  const page = await launch()
  const usual = join(folder, 'usual/skilldock')
  const photos = temporaryFolder()
  await writeFile(join(photos, 'holiday.jpg'), '')
  await choose(photos)
  await chooseButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This folder contains other files (holiday.jpg). Choose an empty folder.',
  )
  await expect(page.getByText(photos)).toBeVisible()
  await page.getByRole('button', { name: `Keep ${usual}` }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByText(usual)).toBeVisible()

  await choose(await makeRegistry('rita'))
  await chooseButton(page).click()
  await expect(page.getByText(/^This folder already contains a registry/)).toBeVisible()
  await page.getByRole('button', { name: 'Open this registry' }).click()
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  expect((await deskState(page)).person?.subject).toBe('rita')
})

test('a backup replaces the empty registry; an invalid file changes nothing', async () => {
  const page = await launch()
  await page.getByLabel('Your name').fill('Ilse')
  const restore = page.getByRole('button', { name: 'Restore a backup…' })
  const broken = join(folder, 'broken.tar')
  await writeFile(broken, 'no backup at all')
  await choose(broken)
  await restore.click()
  await expect(page.getByRole('alert')).toHaveText(
    /^Nothing was restored\. broken\.tar cannot be restored \(.+\)\. Choose another backup\.$/,
  )
  await expect(page.getByRole('alert')).not.toContainText('remote method')
  expect(await deskState(page)).toMatchObject({ firstRun: expect.any(Object) })
  await expect(page.getByLabel('Your name')).toHaveValue('Ilse')

  const file = join(folder, 'backup.tar')
  const from = dataPaths(await makeRegistry('rita'))
  const task = prepareBackup(from, file, () => {})
  await task.run()
  task.abandon()
  await choose(file)
  await restore.click()
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  expect((await deskState(page)).person?.subject).toBe('rita')
  const restored = dataPaths(join(folder, 'usual/skilldock'))
  expect(await readFile(restored.signingKey, 'utf8')).toBe(await readFile(from.signingKey, 'utf8'))
})

test('the demo data is loaded, and its administrator is signed in', async () => {
  const page = await launch()
  await page.getByRole('button', { name: 'Load demo data' }).click()
  // The demo is published and reviewed before the page opens.
  await expect(page.locator('[data-row]').filter({ hasText: 'tsv-to-csv' })).toBeVisible({ timeout: 60_000 })
  expect((await deskState(page)).person?.subject).toBe('marta')
})

test('an expired link is reported immediately, and the app opens the page again with the input kept', async () => {
  const page = await launch()
  await page.getByLabel('Your name').fill('Ilse Verbeek')
  const project = page.getByRole('textbox', { name: 'Agent project (optional)' })
  // A check of the settings that also checks the link. The next one follows the next change.
  await project.fill('my/project')
  await expect(page.getByText('It must be an absolute path.')).toBeVisible()
  await withDatabase({ folder: join(folder, 'usual/skilldock') }, (database) =>
    database.transact(() => void database.writer.exec('DELETE FROM sign_in_codes')),
  )
  await project.fill('/my/project')
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue setup' }).click()
  await expect(page.getByLabel('Your name')).toHaveValue('Ilse Verbeek')
  // After a reload the link is lost, but the input is kept.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This registry has no administrator yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue setup' }).click()
  await expect(page.getByLabel('Your name')).toHaveValue('Ilse Verbeek')
  await page.getByRole('button', { name: /^Start Skilldock/ }).click()
  await expect(page.getByText('No submissions yet').first()).toBeVisible()
})
