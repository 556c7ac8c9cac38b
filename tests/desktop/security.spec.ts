import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { cleanUp, projectRoot, temporaryFolder } from '../support/server/command-line.ts'
import { ipcCalls } from '../../src/shared/ipc-calls.ts'
import { bridge, deskOrigin } from '../support/desk/desk-page.ts'
import { isDouble, launchDesktop } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
// One app for all tests.
test.describe.configure({ mode: 'default' })

let app: Desktop
let page: Page
let origin = ''
let foreign: Server
let foreignUrl = ''
let visits = 0

test.beforeAll(async () => {
  foreign = createServer((_req, res) => {
    visits += 1
    res.setHeader('Content-Type', 'text/html')
    res.end('<title>Elsewhere</title>')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => foreign.once('listening', resolve))
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`
  app = await launchDesktop()
  page = await app.page()
  origin = await deskOrigin(page)
  // External links are recorded instead of being opened.
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
})

test.afterAll(async () => {
  await app.close()
  foreign.close()
  await cleanUp()
})

const opened = (): Promise<string[]> =>
  app.evaluate(() => (globalThis as typeof globalThis & { opened: string[] }).opened)

test('the page cannot navigate the window to another origin', async () => {
  const before = page.url()
  visits = 0
  for (const address of [foreignUrl, 'file:///etc/passwd', 'skilldock-shell://app/other']) {
    await page.evaluate((url) => void (location.href = url), address)
  }
  await page.evaluate((url) => {
    const link = document.createElement('a')
    link.href = url
    document.body.append(link)
    link.click()
    link.remove()
  }, foreignUrl)
  // A call from the same page is answered after the refusals.
  expect(await bridge.info(page)).toMatchObject({ ownsServices: true })
  expect(page.url()).toBe(before)
  expect(visits).toBe(0)
})

test('a frame cannot be navigated to another origin', async () => {
  visits = 0
  await page.evaluate(async (url) => {
    const load = (address: string): HTMLIFrameElement => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
      return frame
    }
    const denied = load(url)
    // The desk cannot be framed either, but this attempt ends after the other one.
    const own = load('/desk/')
    await new Promise((resolve) => own.addEventListener('load', resolve, { once: true }))
    denied.remove()
    own.remove()
  }, foreignUrl)
  expect(visits).toBe(0)
})

test('new windows are denied; only https and mailto links are opened by the system', async () => {
  visits = 0
  const results = await page.evaluate(
    (urls) => urls.map((url) => globalThis.open(url)),
    [
      'https://example.org/page',
      'mailto:someone@example.org',
      foreignUrl,
      'file:///etc/passwd',
      'javascript:alert(1)',
    ],
  )
  expect(results).toEqual([null, null, null, null, null])
  await expect.poll(opened).toEqual(['https://example.org/page', 'mailto:someone@example.org'])
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  expect(visits).toBe(0)
})

test('a link with a new window as target is opened by the system', async () => {
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = 'https://example.org/link'
    link.target = '_blank'
    document.body.append(link)
    link.click()
    link.remove()
  })
  await expect.poll(opened).toContain('https://example.org/link')
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('permissions are denied, except for copying', async () => {
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi']
    return Promise.all(
      names.map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state),
    )
  })
  expect(states).toEqual(['denied', 'denied', 'denied', 'denied', 'denied', 'denied'])
})

test('the page has the calls of the schema and no other access to the app', async () => {
  const seen = await page.evaluate(() => {
    const world = globalThis as unknown as Record<string, Record<string, Record<string, unknown>>>
    const api = world['skilldock'] ?? {}
    return {
      groups: Object.entries(api).map(([group, calls]) => [group, Object.keys(calls)]),
      frozen: Object.isFrozen(api) && Object.values(api).every((group) => Object.isFrozen(group)),
      node: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter(
        (name) => name in world,
      ),
    }
  })
  expect(seen).toEqual({
    groups: [
      ['app', ['info']],
      ['services', ['state', 'start', 'stop']],
      ['shell', ['retry', 'quit', 'usePort']],
      ['setup', ['useDataFolder', 'restoreBackup', 'restoreProgress', 'newLink']],
      ['session', ['get', 'set']],
      ['files', ['chooseFolder', 'chooseImages', 'saveModule']],
      ['preferences', ['get', 'set']],
      ['window', ['setTheme']],
    ],
    frozen: true,
    node: [],
  })
})

test('the desk cannot make the calls of the shell page', async () => {
  expect(await bridge.quit(page)).toBe(
    "Error: Error invoking remote method 'shell.quit': Error: This page is not allowed to make this call.",
  )
})

test('the window has no cookies, and its user agent names Electron', async () => {
  expect(await page.context().cookies()).toEqual([])
  expect(await page.evaluate(() => navigator.userAgent)).toContain('Electron/')
})

test('calls from a page of another origin in the window are refused', async () => {
  await app.evaluate(
    ({ BrowserWindow }, url) => BrowserWindow.getAllWindows()[0]?.webContents.loadURL(url),
    foreignUrl,
  )
  await expect(page).toHaveTitle('Elsewhere')
  const refusals = await page.evaluate(async () => {
    const api = (
      globalThis as unknown as { skilldock: Record<string, Record<string, () => Promise<unknown>>> }
    ).skilldock
    const calls = Object.values(api).flatMap((group) => Object.values(group))
    return Promise.all(calls.map((call) => call().then(String, (error: unknown) => String(error))))
  })
  expect(refusals).toHaveLength(Object.values(ipcCalls).flat().length)
  for (const refusal of refusals) expect(refusal).toContain('This page is not allowed to make this call.')
  await app.evaluate(
    ({ BrowserWindow }, url) => BrowserWindow.getAllWindows()[0]?.webContents.loadURL(url),
    `${origin}/desk/`,
  )
  expect(await deskOrigin(page)).toBe(origin)
})

// Electron recognizes a packed app by its executable, which the tests do not have.
if (isDouble) {
  test('a packed app refuses to start without the sandbox', async () => {
    const folder = temporaryFolder()
    await symlink(projectRoot, join(folder, 'app.asar'))
    const packed = await launchDesktop({
      folder,
      appFolder: join(folder, 'app.asar'),
      args: ['--no-sandbox'],
    })
    expect(await packed.ended).toBe(2)
    expect(packed.output()).toContain('Skilldock cannot start without its sandbox')
    expect(existsSync(join(folder, 'data'))).toBe(false)
    await packed.close()
  })
}

test('the menu has the standard roles and no developer tools', async () => {
  const roles = await app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => [
      (item.role ?? item.label).toLowerCase(),
      ...(item.submenu?.items ?? []).map((inner) => (inner.role ?? '').toLowerCase()),
    ]),
  )
  expect(roles).toEqual(expect.arrayContaining(['file', 'editmenu', 'view', 'reload', 'windowmenu']))
  expect(roles).not.toContain('toggledevtools')
})
