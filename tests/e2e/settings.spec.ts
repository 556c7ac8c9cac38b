import type { Page } from '@playwright/test'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DesktopBridge } from '../../src/shared/ipc-schema.ts'
import { reloadInApp } from '../support/desk/app-bridge.ts'
import { readJson } from '../support/server/command-line.ts'
import { expect, test, toast } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const saved = (desk: Desk) => readJson<Record<string, unknown>>(dataPaths(desk.folder).settings)
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: /^Save/ })

test('settings are validated, saved and discarded', async ({ desk }) => {
  test.slow()
  const page = await desk.open('ilse', { at: '/settings/agents' })
  await test.step('unsaved changes are kept in their group and discarded with Escape', async () => {
    await field(page, 'Agent project').fill('/team')
    await page.getByRole('link', { name: 'Updates' }).click()
    await expect(page.getByRole('heading', { name: 'Updates' })).toBeVisible()
    await page.getByRole('link', { name: 'Agents unsaved' }).click()
    await expect(field(page, 'Agent project')).toHaveValue('/team')
    await page.keyboard.press('Escape')
    await expect(field(page, 'Agent project')).toHaveValue('')
    expect(await saved(desk)).toBeNull()
  })
  await test.step('conflicting settings are reported at their field; settings from the environment are read-only', async () => {
    await page
      .getByRole('navigation', { name: 'Setting groups' })
      .getByRole('link', { name: 'Registry' })
      .click()
    await expect(page.getByText("Set by SKILLDOCK_PORT. It can't be changed here.")).toBeVisible()
    await expect(field(page, 'Registry port')).not.toBeEditable()
    await field(page, 'Listen address').fill('0.0.0.0')
    await expect(page.getByText(/would let tokens cross the network unencrypted/)).toBeVisible()
    await expect(field(page, 'Public address')).toHaveAttribute('aria-invalid', 'true')
    await field(page, 'Trusted proxies').fill('10.0.0.1, ten')
    await expect(page.getByText('It must be an IP address or a network.')).toBeVisible()
    expect(await saved(desk)).toBeNull()
    await page.keyboard.press('Escape')
    await expect(field(page, 'Trusted proxies')).toHaveValue('')
  })
  await test.step('a setting is validated while typing, saved with the keyboard, and takes effect immediately', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(',')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Limits' }).click()
    const daily = field(page, 'Daily submissions per publisher')
    await expect(daily).toHaveValue('10')
    await expect(page.getByText('No unsaved changes.')).toBeVisible()
    await expect(save(page)).toBeDisabled()

    await daily.fill('0')
    await expect(daily).toHaveAttribute('aria-invalid', 'true')
    await daily.press('Control+Enter')
    await expect(page.getByText(/^Unsaved changes\./)).toBeVisible()
    await daily.fill('1')
    await expect(daily).not.toHaveAttribute('aria-invalid')
    await expect(page.getByText('Unsaved changes. Saving takes effect immediately.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Limits unsaved' })).toBeVisible()
    await daily.press('Control+Enter')
    await expect(toast(page)).toContainText('Saved. Changes are in effect.')
    expect(await saved(desk)).toEqual({ dailySubmissions: 1 })
    await expect(page.getByText('Default: 10. Set in settings.json. Takes effect immediately.')).toBeVisible()
    await desk.submit()
    await expect(desk.submit({ version: '1.1.0' })).rejects.toThrow(/publish: 429/)

    await page.getByRole('button', { name: 'Reset to default: Daily submissions per publisher' }).click()
    await save(page).click()
    await expect.poll(() => saved(desk)).toEqual({ dailySubmissions: 10 })
  })
  await test.step('a URL with a name and version opens the release, or says that it does not exist', async () => {
    await desk.submit({ name: 'upper-case-more' })
    const id = await desk.submit({ version: '1.1.0' })
    await page.goto(`${desk.dashboard}/desk/release/upper-case/1.1.0`)
    await expect(page.getByRole('heading', { name: 'upper-case 1.1.0' })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/desk/review/${id}\\?view=all$`))
    await page.goto(`${desk.dashboard}/desk/release/upper-case/9.0.0`)
    await expect(page.getByText('Release upper-case 9.0.0 not found')).toBeVisible()
  })
  await test.step('the preferences of the app are shown in the app only, and take effect immediately', async () => {
    await page.goto(`${desk.dashboard}/desk/settings/app`)
    await expect(page.getByRole('heading', { name: 'Registry' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'This app' })).toHaveCount(0)

    await reloadInApp(page, { folder: '/team' })
    await expect(page.getByRole('heading', { name: 'This app' })).toBeVisible()
    const atLogin = page.getByRole('checkbox', { name: 'Start at login' })
    await expect(atLogin).not.toBeChecked()
    // The read after the first change is answered only after the second change was made, and before it is saved.
    await page.evaluate(() => {
      const { preferences } = (globalThis as unknown as { skilldock: DesktopBridge }).skilldock
      const [readEnd, saveEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      Object.assign(globalThis, { endRead: readEnd.resolve, endSave: saveEnd.resolve })
      const { get, set } = { ...preferences }
      const slow: typeof preferences = {
        async get() {
          const now = { ...(await get()) }
          await readEnd.promise
          return now
        },
        async set(change) {
          if (change.notifyCrashes !== undefined) await saveEnd.promise
          return set(change)
        },
      }
      Object.assign(preferences, slow)
    })
    const crashes = page.getByRole('checkbox', { name: 'Notify about crashed services' })
    await atLogin.click()
    await expect(atLogin).toBeChecked()
    await crashes.click()
    await expect(crashes).not.toBeChecked()
    const isReset = await crashes.evaluate(async (box: HTMLInputElement) => {
      ;(globalThis as unknown as { endRead(): void }).endRead()
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return box.checked
    })
    expect(isReset).toBe(false)
    await page.evaluate(() => (globalThis as unknown as { endSave(): void }).endSave())
    await expect(crashes).not.toBeChecked()
    await expect(atLogin).toBeChecked()
    await expect(page.getByText('Saved in')).toHaveCount(0)
    await page
      .getByRole('navigation', { name: 'Setting groups' })
      .getByRole('link', { name: 'Agents' })
      .click()
    await page.getByRole('button', { name: 'Choose…' }).click()
    await expect(field(page, 'Agent project')).toHaveValue('/team')
    await page.getByRole('link', { name: 'Services', exact: true }).click()
    await expect(page.getByText(/^They keep running in the tray/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop services' })).toBeVisible()
  })
})

test.describe('with ports that can be chosen', () => {
  test.use({
    settings: { port: 0, dashboardPort: 0 },
    variables: { SKILLDOCK_PORT: '', SKILLDOCK_DASHBOARD_PORT: '' },
  })

  test('a port is checked while typing, and takes effect immediately or after a restart', async ({
    desk,
  }) => {
    const page = await desk.open('ilse', { at: '/settings/registry' })
    await test.step('a port that Skilldock uses is rejected while typing, and the registry moves to an available one immediately', async () => {
      const free = await findFreePort()
      const port = field(page, 'Registry port')
      await port.fill(new URL(desk.dashboard).port)
      await expect(page.getByText(/^Port \d+ is already used by Skilldock/)).toBeVisible()
      await port.fill(String(free))
      await expect(page.getByText('available', { exact: true })).toBeVisible()
      await expect(
        page.getByText(
          'Unsaved changes. Saving takes effect immediately; the registry restarts its listener.',
        ),
      ).toBeVisible()
      await save(page).click()
      await expect(toast(page)).toContainText('The registry restarted its listener.')
      expect((await fetch(`http://127.0.0.1:${free}/api/health`)).ok).toBe(true)
      await expect(fetch(desk.registry)).rejects.toThrow()
    })
    await test.step('a value that requires a restart is shown next to the current one', async () => {
      const free = await findFreePort()
      await page.goto(`${desk.dashboard}/desk/settings/desk`)
      await field(page, 'Local services port').fill(String(free))
      await expect(
        page.getByText('Unsaved changes. Saving takes effect after Skilldock restarts.'),
      ).toBeVisible()
      await save(page).click()
      await expect(
        page.getByText(`${free} takes effect after Skilldock restarts; 0 is used until then.`),
      ).toBeVisible()
      await page.reload()
      await expect(field(page, 'Local services port')).toHaveValue(String(free))
      await page.getByRole('link', { name: 'Review note templates' }).click()
      await expect(page.getByRole('heading', { name: 'Review note templates' })).toBeVisible()
    })
  })
})
