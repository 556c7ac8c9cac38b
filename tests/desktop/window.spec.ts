import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type * as Electron from 'electron'
import { withPeople } from '../../src/server/commands/open-people.ts'
import type { DesktopBridge } from '../../src/shared/ipc-schema.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { bridge, deskOrigin, deskState, expectShell } from '../support/desk/desk-page.ts'
import { isDouble, launchDesktop, readRunning } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { manifest, publish } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

type WithBridge = typeof globalThis & { skilldock: DesktopBridge }

let app: Desktop

test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

const settingsFile = (folder: string): string => join(folder, 'config/skilldock-window/app.json')

/** Starts the app with saved settings of an earlier run. */
const launchWith = async (settings: object): Promise<Desktop> => {
  const folder = temporaryFolder()
  await mkdir(join(folder, 'config/skilldock-window'), { recursive: true })
  await writeFile(settingsFile(folder), JSON.stringify(settings))
  return launchDesktop({ folder })
}

test('position, size, theme and preferences take effect immediately and are restored', async () => {
  const folder = temporaryFolder()
  await withPeople(
    (people) => people.issueToken({ subject: 'ilse', name: 'Ilse', role: 'administrator' }),
    `${folder}/data`,
  )
  app = await launchDesktop({ folder })
  const page = await app.page()
  await deskOrigin(page)
  const place = { x: 60, y: 40, width: 1100, height: 700 }

  await test.step('position, size and theme are saved', async () => {
    await page.getByRole('button', { name: /theme, tokens, sign out/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')
    await app.evaluate(({ BrowserWindow }, bounds) => {
      BrowserWindow.getAllWindows()[0]?.setBounds(bounds)
    }, place)
    await expect
      .poll(async () => JSON.parse(await readFile(settingsFile(folder), 'utf8')) as object)
      .toMatchObject({ place: { ...place, isMaximized: false }, theme: 'dark' })
  })

  await test.step('preferences of the app are saved', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'This app' }).click()
    await expect(page.getByRole('heading', { name: 'This app' })).toBeVisible()
    const boxes = page.getByRole('checkbox')
    await expect(boxes).toHaveCount(5)
    expect(await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
    for (const label of ['Notify about new submissions', 'Keep services running when the window is closed']) {
      await page.getByLabel(label).click()
      await expect(page.getByLabel(label)).not.toBeChecked()
    }
    await expect
      .poll(async () => JSON.parse(await readFile(settingsFile(folder), 'utf8')) as object)
      .toMatchObject({ notifySubmissions: false, keepInTray: false, notifyCrashes: true })
    if (process.platform === 'linux') {
      await page.getByLabel('Start at login').click()
      await until('the system starts it', async () =>
        existsSync(join(folder, 'config/autostart/skilldock.desktop')),
      )
    }
    // The Services page reflects the preference.
    await page.getByRole('link', { name: 'Services', exact: true }).click()
    await expect(page.getByText('Both run in one process.')).toBeVisible()
  })

  await app.close()
  app = await launchDesktop({ folder })
  const next = await app.page()
  await deskOrigin(next)
  await test.step('position, size and theme are restored', async () => {
    expect(
      await app.evaluate(({ BrowserWindow, nativeTheme }) => [
        BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
        nativeTheme.themeSource,
      ]),
    ).toEqual([place, 'dark'])
    await expect(next.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })
  await test.step('preferences are restored', async () => {
    await next.getByRole('link', { name: 'Settings' }).click()
    await next.getByRole('link', { name: 'This app' }).click()
    await expect(next.getByLabel('Notify about new submissions')).not.toBeChecked()
    await expect(next.getByLabel('Notify about crashed services')).toBeChecked()
  })
})

test('a window of a disconnected screen opens on an existing one, still maximized', async () => {
  app = await launchWith({ place: { x: 5000, y: -900, width: 1200, height: 800, isMaximized: true } })
  await deskOrigin(await app.page())
  const look = ({ BrowserWindow, screen }: typeof Electron) => {
    const window = BrowserWindow.getAllWindows()[0]
    const bounds = window?.getNormalBounds() ?? { x: 0, y: 0, width: 0, height: 0 }
    const area = screen.getDisplayMatching(bounds).workArea
    const isInside =
      bounds.x >= area.x &&
      bounds.y >= area.y &&
      bounds.x + bounds.width <= area.x + area.width &&
      bounds.y + bounds.height <= area.y + area.height
    return { isInside, isMaximized: window?.isMaximized() }
  }
  // It is maximized when it is shown, which may be after its page has loaded.
  await expect.poll(() => app.evaluate(look)).toEqual({ isInside: true, isMaximized: true })
})

test('a deep link opens the page of its release, at start and later, and an invalid one opens nothing', async () => {
  app = await launchDesktop({ args: ['--', 'skilldock://release/csv-to-json/1.0.0'] })
  const page = await app.page()
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/desk\/release\/csv-to-json\/1\.0\.0/)
  const second = await launchDesktop({ folder: app.folder, args: ['skilldock://release/upper-case/2.1.0'] })
  expect(await second.ended).toBe(0)
  await expect(page).toHaveURL(/\/desk\/release\/upper-case\/2\.1\.0$/)
  await app.evaluate(({ app: electron }) => {
    const event = { preventDefault() {} }
    for (const link of [
      'skilldock://release/../1.0.0',
      'skilldock://approve/csv-to-json/1.0.0',
      'skilldock://release/csv-to-json/1.0.0?approve=1',
      'https://example.org/',
    ]) {
      electron.emit('open-url', event, link)
    }
  })
  expect(await bridge.info(page)).toMatchObject({ ownsServices: true })
  await expect(page).toHaveURL(/\/desk\/release\/upper-case\/2\.1\.0$/)
  await app.evaluate(({ app: electron }) =>
    electron.emit('open-url', { preventDefault() {} }, 'skilldock://release/csv-to-json/1.0.1'),
  )
  await expect(page).toHaveURL(/\/desk\/release\/csv-to-json\/1\.0\.1$/)
  await second.close()
})

test('a port in use is reported with an available one, which is saved and used once accepted', async () => {
  const port = await findFreePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  const folder = temporaryFolder()
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data/settings.json'), JSON.stringify({ port: 0, dashboardPort: port }))
  // Empty variables count as unset.
  app = await launchDesktop({ folder, env: { SKILLDOCK_PORT: '', SKILLDOCK_DASHBOARD_PORT: '' } })
  const page = await app.page()
  await expectShell(page, 'The desk could not be started', new RegExp(`127\\.0\\.0\\.1:${port}`))
  const field = page.getByLabel('Another port for the local services')
  await expect(field).toHaveValue(/^\d+$/)
  const suggestion = Number(await field.inputValue())
  expect(suggestion).not.toBe(port)
  // A retry in the meantime must not interrupt typing.
  await field.focus()
  const secondsLeft = async (): Promise<number> =>
    Number(/Retrying in (\d+) s/.exec(await page.locator('main').innerText())?.[1] ?? 0)
  const before = await secondsLeft()
  await expect.poll(secondsLeft).toBeGreaterThan(before)
  await expect(field).toBeFocused()
  await field.fill('often')
  await page.getByRole('button', { name: 'Use this port' }).click()
  await expect(page.getByRole('alert')).toHaveText('Enter a port from 1 to 65535.')
  await field.fill(String(suggestion))
  await field.press('Enter')
  expect(await deskOrigin(page)).toBe(`http://127.0.0.1:${suggestion}`)
  expect(JSON.parse(await readFile(join(folder, 'data/settings.json'), 'utf8'))).toEqual({
    port: 0,
    dashboardPort: suggestion,
  })
  await new Promise((resolve) => holder.close(resolve))
})

test.describe('files', () => {
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0]
  const sha256 = createHash('sha256').update(Uint8Array.from(bytes)).digest('hex')

  const answerWith = (answers: { save?: string; open?: string[] }): Promise<void> =>
    app.evaluate(({ dialog }, { save = '', open = [] }) => {
      Object.assign(dialog, {
        showSaveDialog: () => Promise.resolve({ canceled: save === '', filePath: save }),
        showOpenDialog: () => Promise.resolve({ canceled: open.length === 0, filePaths: open }),
      })
    }, answers)

  const save = (page: Page, digest: string): Promise<string> =>
    page.evaluate(
      ([content, expected]) =>
        (globalThis as WithBridge).skilldock.files
          .saveModule({ name: 'csv-to-json-1.0.0.wasm', sha256: expected, bytes: Uint8Array.from(content) })
          .then(
            (answer) => answer?.saved ?? 'nothing',
            (error: unknown) => String(error),
          ),
      [bytes, digest] as const,
    )

  test('files, start at login, a second start and a crashed renderer', async () => {
    app = await launchDesktop()
    const page = await app.page()
    await deskOrigin(page)

    await test.step('a module is saved only if its bytes match its digest', async () => {
      const folder = temporaryFolder()
      const path = join(folder, 'csv-to-json.wasm')
      await answerWith({ save: path })
      expect(await save(page, 'a'.repeat(64))).toContain('The bytes do not match the SHA-256')
      expect(await readdir(folder)).toEqual([])
      expect(await save(page, sha256)).toBe(path)
      expect(await readdir(folder)).toEqual(['csv-to-json.wasm'])
      expect([...(await readFile(path))]).toEqual(bytes)
      await answerWith({})
      expect(await save(page, sha256)).toBe('nothing')
    })

    await test.step('images and folders are chosen in system dialogs, and only a chosen folder can become the data folder', async () => {
      const folder = temporaryFolder()
      const path = join(folder, 'a.wasm')
      await writeFile(path, Uint8Array.from(bytes))
      await answerWith({ open: [path] })
      expect(
        await page.evaluate(async () => {
          const chosen = await (globalThis as WithBridge).skilldock.files.chooseImages()
          return chosen?.map(({ name, bytes: content }) => [name, content.length])
        }),
      ).toEqual([['a.wasm', 8]])
      await answerWith({ open: [folder] })
      const useFolder = (): Promise<string> =>
        page.evaluate(
          (chosen) =>
            (globalThis as WithBridge).skilldock.setup.useDataFolder(chosen).then(
              () => '',
              (error: unknown) => String(error),
            ),
          folder,
        )
      expect(await useFolder()).toContain('Choose the folder first.')
      expect(
        await page.evaluate(() =>
          (globalThis as WithBridge).skilldock.files.chooseFolder({ purpose: 'data' }),
        ),
      ).toBe(folder)
      // The tests set the folder in the environment, which has priority.
      expect(await useFolder()).toContain('SKILLDOCK_DATA')
    })

    await test.step('start at login creates and removes the autostart entry', async () => {
      // Other systems have no autostart file.
      if (process.platform !== 'linux') return
      const entry = join(app.folder, 'config/autostart/skilldock.desktop')
      expect(await bridge.setPreferences(page, { startAtLogin: true })).toMatchObject({ startAtLogin: true })
      expect(await readFile(entry, 'utf8')).toMatch(/^Exec=".+" ".+" "--hidden"$/m)
      expect(await bridge.setPreferences(page, { startAtLogin: false })).toMatchObject({
        startAtLogin: false,
      })
      expect(existsSync(entry)).toBe(false)
    })

    await test.step('a second start focuses the first', async () => {
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
      const second = await launchDesktop({ folder: app.folder })
      expect(await second.ended).toBe(0)
      await expect
        .poll(() =>
          app.evaluate(({ BrowserWindow }) =>
            BrowserWindow.getAllWindows().map((window) => [window.isMinimized(), window.isFocused()]),
          ),
        )
        .toEqual([[false, isDouble ? true : expect.any(Boolean)]])
      await second.close()
    })

    await test.step('a crashed renderer reloads the desk, and the services keep running', async () => {
      const before = await until('the services run', () => readRunning(app.folder))
      const loads = await app.evaluate(({ BrowserWindow }) => {
        const loaded: string[] = []
        Object.assign(globalThis, { loaded })
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.on('did-finish-load', () => loaded.push(contents.getURL()))
        contents?.forcefullyCrashRenderer()
        return loaded.length
      })
      expect(loads).toBe(0)
      await expect
        .poll(() =>
          app.evaluate(() => (globalThis as typeof globalThis & { loaded: string[] }).loaded.at(-1)),
        )
        .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/desk\//)
      expect(await readRunning(app.folder)).toEqual(before)
    })
  })

  test('the desk saves a downloaded module at the chosen path', async () => {
    const folder = temporaryFolder()
    const data = join(folder, 'data')
    const { token } = await withPeople(
      (people) => people.issueToken({ subject: 'ilse', name: 'Ilse', role: 'administrator' }),
      data,
    )
    app = await launchDesktop({ folder })
    const page = await app.page()
    await deskOrigin(page)
    const { registry } = await until('both run', () => readRunning(folder))
    const module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    expect((await publish(registry, token, manifest(), module)).status).toBe(201)
    const path = join(temporaryFolder(), 'inspected.wasm')
    await answerWith({ save: path })
    await page.getByRole('button', { name: 'Download for inspection' }).click()
    await page.getByRole('button', { name: 'Save module…' }).click()
    const dock = page.getByRole('region', { name: 'Decision' })
    await expect(dock.getByText(`saved as ${path}.`)).toBeVisible()
    expect(await readFile(path)).toEqual(Buffer.from(module))
    await answerWith({ save: join(path, 'below-a-file.wasm') })
    await page.getByRole('button', { name: 'Save module…' }).click()
    await expect(dock.getByText('was not saved.')).toBeVisible()
    await expect(dock.getByText('remote method')).toHaveCount(0)
  })
})

test('the services restart with the chosen data folder, and so does the next start', async () => {
  const folder = temporaryFolder()
  const chosen = temporaryFolder()
  // Empty variables count as unset.
  const env = { SKILLDOCK_DATA: '', XDG_DATA_HOME: join(folder, 'usual') }
  app = await launchDesktop({ folder, env })
  const page = await app.page()
  await deskOrigin(page)
  expect((await deskState(page)).firstRun?.dataFolder).toBe(join(folder, 'usual/skilldock'))
  await app.evaluate(({ dialog }, path) => {
    Object.assign(dialog, { showOpenDialog: () => Promise.resolve({ canceled: false, filePaths: [path] }) })
  }, chosen)
  await page.evaluate(async () => {
    const { files, setup } = (globalThis as WithBridge).skilldock
    const path = await files.chooseFolder({ purpose: 'data' })
    // The page is unloaded before the call returns.
    if (path !== null) void setup.useDataFolder(path)
  })
  await until('the services run there', async () => existsSync(join(chosen, 'running.json')))
  await deskOrigin(page)
  await expect.poll(async () => (await deskState(page)).firstRun?.dataFolder).toBe(chosen)
  await app.close()
  app = await launchDesktop({ folder, env })
  const next = await app.page()
  await deskOrigin(next)
  expect((await deskState(next)).firstRun?.dataFolder).toBe(chosen)
})
