import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from '@playwright/test'
import { cleanUp, projectRoot, temporaryFolder } from '../support/server/command-line.ts'
import { isDouble, launchDesktop, readRunning } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { skipWithout } from '../support/programs.ts'
import { until } from '../support/wait.ts'

test('an app without an update address does not load the updater', async () => {
  const seen = new Map<string, string>()
  const read = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    const text = await readFile(file, 'utf8')
    seen.set(file, text)
    const imports = [...text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"/gm)]
    await Promise.all(imports.map(([, path]) => read(join(dirname(file), path ?? ''))))
  }
  await read(join(projectRoot, 'out/main/index.js'))
  const texts = [...seen.values()].join('\n')
  expect(seen.size).toBeGreaterThan(1)
  expect(texts).not.toContain('updaterCacheDirName')
  expect(texts).toMatch(/await import\(/)
})

// Electron recognizes a packed app by its executable, which the tests do not have.
if (isDouble) test.describe('a packed app with an update address', checkUpdates)

function checkUpdates(): void {
  test.skip(skipWithout('chromium'), 'needs Chromium')

  let app: Desktop
  let server: Server
  let folder = ''
  let installed = ''
  /** The requested paths. The version list is only sent once the dialogs are stubbed. */
  let requests: string[] = []
  let headers: IncomingHttpHeaders = {}
  let answered = Promise.withResolvers<void>()
  const mark = (): string => join(folder, 'new-version-runs')
  const newVersion = (): string => `#!/bin/sh\necho "$APPIMAGE" > '${mark()}'\n`

  test.beforeEach(async () => {
    folder = temporaryFolder()
    installed = join(folder, 'Skilldock.AppImage')
    await writeFile(installed, 'the version that runs')
    await symlink(projectRoot, join(folder, 'app.asar'))
    await writeFile(join(folder, 'app-update.yml'), 'provider: generic\nurl: https://skilldock.example\n')
    requests = []
    answered = Promise.withResolvers()
  })

  test.afterEach(async () => {
    answered.resolve()
    await app.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await cleanUp()
  })

  /** Starts the app with a server that offers version 9.0.0. The dialogs are answered with these buttons. */
  const run = async (answers: string[], bytes = newVersion()): Promise<void> => {
    const digest = createHash('sha512').update(newVersion()).digest('base64')
    const name = 'Skilldock-9.0.0.AppImage'
    server = createServer((req, res) => {
      requests.push(req.url ?? '')
      headers = req.headers
      if (req.url?.startsWith('/latest-linux') !== true) {
        res.end(bytes)
        return
      }
      const file = `url: ${name}\n    sha512: ${digest}\n    size: ${bytes.length}`
      const list = `version: 9.0.0\nfiles:\n  - ${file}\npath: ${name}\nsha512: ${digest}\n`
      void answered.promise.then(() => res.end(list))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    app = await launchDesktop({
      folder,
      appFolder: join(folder, 'app.asar'),
      env: {
        APPIMAGE: installed,
        XDG_CACHE_HOME: join(folder, 'cache'),
        SKILLDOCK_UPDATE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      },
    })
    await app.evaluate(({ dialog }, buttons) => {
      const dialogs: string[] = []
      Object.assign(globalThis, { dialogs })
      const answer = (options: Electron.MessageBoxOptions) => {
        dialogs.push(options.message)
        const response = options.buttons?.indexOf(buttons.shift() ?? '') ?? -1
        return Promise.resolve({ response, checkboxChecked: false })
      }
      Object.assign(dialog, { showMessageBox: answer })
    }, answers)
    await until('the services run', () => readRunning(folder))
    answered.resolve()
  }

  const dialogs = (): Promise<string[]> =>
    app.evaluate(() => (globalThis as typeof globalThis & { dialogs: string[] }).dialogs)
  const versionList: unknown = expect.stringMatching(/^\/latest-linux.*\.yml/)

  test('asks, and downloads nothing if declined', async () => {
    await run(['Not now'])
    await expect.poll(dialogs).toEqual(['Skilldock 9.0.0 is available. Download it?'])
    await app.close()
    expect(requests).toEqual([versionList])
    expect(headers['x-user-staging-id']).toBe('none')
    expect(await readFile(installed, 'utf8')).toBe('the version that runs')
  })

  test('downloads once confirmed, and installs nothing without a second confirmation, even when quitting', async () => {
    await run(['Download', 'Not now'])
    await expect.poll(dialogs).toHaveLength(2)
    await app.close()
    expect(requests).toEqual([versionList, '/Skilldock-9.0.0.AppImage'])
    expect(await readFile(installed, 'utf8')).toBe('the version that runs')
    expect(existsSync(mark())).toBe(false)
  })

  test('stops its services, installs the new version and starts it once confirmed', async () => {
    await run(['Download', 'Install and restart'])
    expect(await app.ended).toBe(0)
    expect(app.output()).toContain('"msg":"stopped"')
    await until('the new version runs', () => existsSync(mark()))
    expect(await readFile(installed, 'utf8')).toBe(newVersion())
  })

  test('refuses a download that does not match the listed digest', async () => {
    await run(['Download', 'Install and restart'], newVersion().replace('echo', 'echo evil'))
    await expect.poll(() => app.output()).toContain('sha512 checksum mismatch')
    expect(await dialogs()).toHaveLength(1)
    expect(await readFile(installed, 'utf8')).toBe('the version that runs')
  })
}
