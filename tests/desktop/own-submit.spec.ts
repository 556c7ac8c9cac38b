import { expect, test } from '@playwright/test'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { deskOrigin } from '../support/desk/desk-page.ts'
import { launchDesktop } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { skipWithout } from '../support/programs.ts'
import { manifest } from '../support/server/publish.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let app: Desktop

test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

test("the files of a release are picked in the app's window and submitted from it", async () => {
  const folder = temporaryFolder()
  await withPeople(
    (people) => people.issueToken({ subject: 'ilse', name: 'Ilse', role: 'administrator' }),
    `${folder}/data`,
  )
  app = await launchDesktop({ folder })
  const page = await app.page()
  // The app opens the desk by itself first.
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  await page.goto(`${await deskOrigin(page)}/desk/own/submit`)
  const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  const files = [
    ['Choose manifest.json', 'manifest.json', Buffer.from(JSON.stringify(manifest()))],
    ['Choose .wasm module', 'skill.wasm', Buffer.from(wasm)],
  ] as const
  for (const [button, name, buffer] of files) {
    await page.locator(`input[type="file"][aria-label="${button}"]`).setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer,
    })
  }
  await expect(page.getByText(`${wasm.length} bytes`)).toBeVisible()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  const release = page.getByRole('list', { name: 'My releases' }).getByRole('listitem').first()
  await expect(release).toContainText('upper-case 1.0.0')
  await expect(release).toContainText('Pending, #1 of 1 in queue')
})
