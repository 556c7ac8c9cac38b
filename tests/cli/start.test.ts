import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenHere } from '../support/server/command-here.ts'
import {
  cleanUp,
  projectRoot,
  readJson,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Variables } from '../support/server/command-line.ts'
import { requireElectron } from '../support/desk/electron-binary.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { call } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

let data = ''
const noDisplay = { DISPLAY: '', WAYLAND_DISPLAY: '' }
const display = { DISPLAY: ':99' }

beforeEach(() => {
  data = temporaryFolder()
})
afterAll(cleanUp)

/** Starts `skilldock start` and waits for its ready file. */
async function begin(variables: Variables, args: string[] = [], app = projectRoot) {
  const readyFile = join(temporaryFolder(), 'ready.json')
  const running = start(process.execPath, [join(app, 'out/main/cli.js'), 'start', ...args], {
    SKILLDOCK_DATA: data,
    SKILLDOCK_PORT: '0',
    SKILLDOCK_DASHBOARD_PORT: '0',
    SKILLDOCK_READY_FILE: readyFile,
    ...variables,
  })
  const addresses = await until('the services are ready', () =>
    readJson<{ registry: string; dashboard: string }>(readyFile),
  )
  await until('the addresses are printed', () => running.output.stdout.includes('Press Ctrl+C'))
  const line = (pattern: RegExp): Promise<string> =>
    until(`it prints ${pattern.source}`, () => pattern.exec(running.output.stdout)?.[0])
  return { ...running, ...addresses, line }
}

const linkOf = (stdout: string): string => /^Desk {12}(http\S+)$/m.exec(stdout)?.[1] ?? ''

/** Stops it like Ctrl+C. */
async function interrupt(running: Awaited<ReturnType<typeof begin>>): Promise<void> {
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ status: 0 })
}

test('without a display it prints the addresses, a link for the first run and how to open it', async () => {
  const running = await begin(noDisplay)
  expect(running.output.stdout).toContain(
    `Registry        ${running.registry}\nLocal services  ${running.dashboard}\n`,
  )
  expect(await running.line(/^There is no desk window.*$/m)).toBe(
    'There is no desk window: no display is available. Open the desk in a browser with the link above.',
  )
  const link = new URL(linkOf(running.output.stdout))
  expect(`${link.origin}${link.pathname}`).toBe(`${running.dashboard}/desk/`)
  const made = await fetch(`${running.dashboard}/desk/api/first-run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: running.dashboard },
    body: JSON.stringify({ code: link.hash.slice('#code='.length), subject: 'rita', name: 'Rita' }),
  })
  expect(made.status).toBe(200)
  await interrupt(running)
})

test('the link signs in if there is only one administrator', async () => {
  await tokenHere(data, '--subject', 'rita', '--role', 'admin')
  const running = await begin(noDisplay)
  const code = new URL(linkOf(running.output.stdout)).hash.slice('#code='.length)
  const signIn = (): Promise<Response> =>
    fetch(`${running.dashboard}/desk/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: running.dashboard },
      body: JSON.stringify({ code }),
    })
  expect(await (await signIn()).json()).toMatchObject({ person: { subject: 'rita' } })
  expect((await signIn()).ok).toBe(false)
  await interrupt(running)
})

test('with several administrators it prints how to get a link', async () => {
  await tokenHere(data, '--subject', 'rita', '--role', 'admin')
  await tokenHere(data, '--subject', 'rob', '--role', 'admin')
  const running = await begin(noDisplay)
  expect(linkOf(running.output.stdout)).toBe('')
  expect(running.output.stdout).toMatch(/^Desk {12}.*skilldock desk --subject NAME$/m)
  expect(await running.line(/^There is no desk window.*$/m)).toBe(
    'There is no desk window: no display is available. Open the desk in a browser.',
  )
  await interrupt(running)
})

test('with SKILLDOCK_NO_ELECTRON, Electron is neither started nor downloaded', async () => {
  const running = await begin({ ...display, SKILLDOCK_NO_ELECTRON: '1' })
  expect(await running.line(/^There is no desk window.*$/m)).toContain('SKILLDOCK_NO_ELECTRON is set')
  await interrupt(running)
})

test('a folder without Electron is reported, and nothing is downloaded', async () => {
  const running = await begin({ ...display, ELECTRON_OVERRIDE_DIST_PATH: temporaryFolder() })
  expect(await running.line(/^There is no desk window.*$/m)).toContain(
    'ELECTRON_OVERRIDE_DIST_PATH does not contain Electron',
  )
  await interrupt(running)
})

test('if Electron cannot start, the desk can be opened in the browser', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\nexit 7\n', { mode: 0o755 })
  const running = await begin({ ...display, ELECTRON_OVERRIDE_DIST_PATH: folder })
  expect(await running.line(/^There is no desk window.*$/m)).toContain(
    'the Electron window failed (exit status 7)',
  )
  await interrupt(running)
})

test('an installed Electron runs the app with its own link, and is stopped with the services', async () => {
  const folder = temporaryFolder()
  const log = join(folder, 'log')
  writeFileSync(
    join(folder, 'electron'),
    `#!/bin/sh\necho "$@" > ${log}.new\nmv ${log}.new ${log}\nexec sleep 60\n`,
    {
      mode: 0o755,
    },
  )
  const running = await begin({ ...display, ELECTRON_OVERRIDE_DIST_PATH: folder })
  const line = await until('Electron is started', () => readFile(log, 'utf8').catch(() => null))
  const [app, attach] = line.trim().split(' ')
  expect(join(app ?? '', '.')).toBe(join(projectRoot, '.'))
  expect(attach).toMatch(new RegExp(`^--attach=${running.dashboard}/desk/#code=[\\w-]{43}$`))
  expect(attach).not.toContain(linkOf(running.output.stdout))
  await interrupt(running)
})

test.skipIf(skipWithout('chromium'))(
  'the real app runs on the Electron double, and is stopped with the services',
  async () => {
    const configuration = temporaryFolder()
    const running = await begin({
      ...display,
      ELECTRON_OVERRIDE_DIST_PATH: join(projectRoot, 'tests/double/bin'),
      XDG_CONFIG_HOME: configuration,
    })
    const lock = join(configuration, 'skilldock-window/instance/pid')
    // The file exists briefly before its content.
    const pid = await until('the app runs', () => readJson<number>(lock).catch(() => null))
    expect((await call(`${running.registry}/api/health`)).status).toBe(200)
    await interrupt(running)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  },
)

test('an invalid number of seconds is refused', async () => {
  expect(await skilldock(data, ['start', '--patience', 'long'])).toMatchObject({
    status: 2,
    stderr: '--patience must be a whole number of seconds from 1 to 9999.\nSee: skilldock start --help\n',
  })
})

// An installed binary would not be downloaded.
describe.skipIf(requireElectron() !== null)('downloading Electron', () => {
  /** A copy of what `start` needs, with a writable `electron` package. */
  const copyApp = (): string => {
    const app = temporaryFolder()
    cpSync(join(projectRoot, 'package.json'), join(app, 'package.json'))
    cpSync(join(projectRoot, 'out'), join(app, 'out'), { recursive: true })
    mkdirSync(join(app, 'node_modules'))
    cpSync(join(projectRoot, 'node_modules/electron'), join(app, 'node_modules/electron'), {
      recursive: true,
    })
    for (const name of [
      'better-sqlite3',
      '@electron',
      '@electron-internal',
      'env-paths',
      'debug',
      'graceful-fs',
    ]) {
      symlinkSync(join(projectRoot, 'node_modules', name), join(app, 'node_modules', name))
    }
    return app
  }

  test('a server that sends nothing times out without delaying the services', async () => {
    const sockets = new Set<Socket>()
    const mirror = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await new Promise((resolve) => mirror.once('listening', resolve))
    const { port } = mirror.address() as AddressInfo
    const variables = {
      ...display,
      ELECTRON_MIRROR: `http://127.0.0.1:${port}/`,
      electron_config_cache: temporaryFolder(),
    }
    const app = copyApp()
    const running = await begin(variables, ['--patience', '2'], app)
    expect(linkOf(running.output.stdout)).not.toBe('')
    expect(await running.line(/^There is no desk window.*$/m)).toBe(
      'There is no desk window: Electron could not be downloaded (no data for 2 s). Open the desk in a browser with the link above.',
    )
    await interrupt(running)
    expect(sockets.size).toBeGreaterThan(0)

    // Ctrl+C does not wait for the download either.
    const again = await begin(variables, [], app)
    const before = sockets.size
    await until(
      'the download has begun',
      () => sockets.size > before || again.output.stdout.includes('Open the desk'),
    )
    await interrupt(again)
    for (const socket of sockets) socket.destroy()
    mirror.close()
  })

  test('an unreachable server is reported as the reason', async () => {
    const port = await findFreePort()
    const running = await begin(
      { ...display, ELECTRON_MIRROR: `http://127.0.0.1:${port}/`, electron_config_cache: temporaryFolder() },
      [],
      copyApp(),
    )
    expect(await running.line(/^There is no desk window.*$/m)).toMatch(
      /Electron could not be downloaded \((?:the download server is unreachable|no network)\)\. /,
    )
    await interrupt(running)
  })
})
