import { expect, test } from '@playwright/test'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { bridge, deskOrigin, expectShell } from '../support/desk/desk-page.ts'
import { launchDesktop, readRunning } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import {
  dialogs,
  clickServices,
  clickTray,
  closeWindow,
  awaitLastCall,
  servicesItems,
  trayItems,
  watchShell,
  windowsShown,
} from '../support/desk/desktop-shell.ts'
import { skipWithout } from '../support/programs.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let app: Desktop

test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

test('closing the window keeps the services running after a notice or a question, or quits', async () => {
  app = await launchDesktop()
  const page = await app.page()
  await deskOrigin(page)
  await watchShell(app, ['Keep running', 'Cancel', 'Keep running in the background', 'Quit Skilldock'])

  await test.step('the first time, a message says that Skilldock keeps running in the tray', async () => {
    await expect.poll(() => windowsShown(app)).toEqual([true])
    await closeWindow(app)
    await expect.poll(() => windowsShown(app)).toEqual([false])
    expect(await dialogs(app)).toMatchObject([
      { message: 'Skilldock keeps running in the tray', buttons: ['Quit Skilldock', 'Keep running'] },
    ])
    const services = await readRunning(app.folder)
    expect((await fetch(`${services?.registry}/api/health`)).status).toBe(200)

    const second = await launchDesktop({ folder: app.folder })
    expect(await second.ended).toBe(0)
    await expect.poll(() => windowsShown(app)).toEqual([true])
    await closeWindow(app)
    await expect.poll(() => windowsShown(app)).toEqual([false])
    expect(await dialogs(app)).toHaveLength(1)
    await second.close()
  })

  await test.step('with the tray preference off, each close asks: cancel, keep running or quit', async () => {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show())
    await bridge.setPreferences(page, { keepInTray: false })
    const close = async (times: number): Promise<void> => {
      await closeWindow(app)
      await expect.poll(async () => (await dialogs(app)).length).toBe(times)
    }
    await close(2)
    expect((await dialogs(app)).slice(1)).toMatchObject([
      {
        message: 'Keep the services running?',
        buttons: ['Keep running in the background', 'Quit Skilldock', 'Cancel'],
      },
    ])
    expect(await windowsShown(app)).toEqual([true])
    await close(3)
    await expect.poll(() => windowsShown(app)).toEqual([false])
    await awaitLastCall(closeWindow(app))
    expect(await app.ended).toBe(0)
  })
})

test('tray and menu show the status of both services, copy the address, and stop, start and open', async () => {
  app = await launchDesktop()
  const page = await app.page()
  const origin = await deskOrigin(page)
  const services = await until('both run', () => readRunning(app.folder))
  await watchShell(app)
  expect(await servicesItems(app)).toEqual([
    { label: 'Registry: running', enabled: false },
    { label: 'Local services: running', enabled: false },
    { label: 'No releases to review', enabled: false },
    { label: '', enabled: true },
    { label: 'Open Skilldock', enabled: true },
    { label: 'Copy registry address', enabled: true },
    { label: 'Stop services', enabled: true },
  ])
  await clickServices(app, 'Copy registry address')
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(services.registry)

  await clickServices(app, 'Stop services')
  await expectShell(page, 'The services are stopped', '')
  expect(await readRunning(app.folder)).toBeNull()
  const labels = async (): Promise<string[]> => (await trayItems(app)).map(({ label }) => label)
  expect((await labels()).slice(0, 2)).toEqual(['Registry: stopped', 'Local services: stopped'])

  await clickTray(app, 'Start services')
  expect(await deskOrigin(page)).toBe(origin)
  await expect
    .poll(async () => (await labels()).slice(0, 2))
    .toEqual(['Registry: running', 'Local services: running'])

  await test.step('services stopped from the desk can be started from the shell page', async () => {
    await bridge.stop(page)
    await expectShell(page, 'The services are stopped', '')
    await page.getByRole('button', { name: 'Start services' }).click()
    expect(await deskOrigin(page)).toBe(origin)
  })

  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  await clickTray(app, 'Open Skilldock')
  expect(await windowsShown(app)).toEqual([true])
  await awaitLastCall(clickTray(app, 'Quit Skilldock'))
  expect(await app.ended).toBe(0)
})

test('a hidden start runs the services without a window, and the next start opens one', async () => {
  const folder = temporaryFolder()
  app = await launchDesktop({ folder, args: ['--hidden'] })
  await until('the services run', () => readRunning(folder))
  expect(await windowsShown(app)).toEqual([])
  const hiddenAgain = await launchDesktop({ folder, args: ['--hidden'] })
  expect(await hiddenAgain.ended).toBe(0)
  const second = await launchDesktop({ folder })
  expect(await second.ended).toBe(0)
  await expect.poll(() => windowsShown(app)).toEqual([true])
  await deskOrigin(await app.page())
})
