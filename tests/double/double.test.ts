import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { skipWithout } from '../support/programs.ts'

// The double must fail where Electron fails. Each trap is a small app that runs into one of these failures.

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-trap-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const launcher = join(import.meta.dirname, 'launch.ts')

async function run(
  files: Record<string, string>,
  { name: appFolder = '.', args = [] as string[] } = {},
): Promise<{ status: number | null; output: string }> {
  const appPath = join(folder, appFolder)
  mkdirSync(appPath, { recursive: true })
  writeFileSync(
    join(appPath, 'package.json'),
    '{"name":"trap","version":"1.0.0","type":"module","main":"main.js"}',
  )
  for (const [name, text] of Object.entries(files)) writeFileSync(join(appPath, name), text)
  const child = spawn(process.execPath, [launcher, appPath, ...args], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(process.env['TEST_RUN_FOLDER'] ?? folder, 'compile-cache'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, output }
}

const whenReady = (body: string): string =>
  `import { app, BrowserWindow, ipcMain, MessageChannelMain, session, utilityProcess } from 'electron'
   app.whenReady().then(async () => { ${body} }).catch((error) => { console.log(error.message); app.exit(1) })`

test('waiting for the app to be ready at the top level hangs', async () => {
  const { status, output } = await run({
    'main.js': "import { app } from 'electron'\nawait app.whenReady()\nconsole.log('ready')\n",
  })
  expect(status).toBe(13)
  expect(output).not.toContain('ready\n')
})

test('an API that the double lacks throws with its name', async () => {
  expect((await run({ 'main.js': whenReady('app.showAboutPanel()') })).output).toBe(
    'The double of Electron has no app.showAboutPanel.\n',
  )
  expect(
    (await run({ 'main.js': whenReady("app.on('accessibility-support-changed', () => {})") })).output,
  ).toContain('has no event "accessibility-support-changed" of app')
  expect(
    (await run({ 'main.js': "import { powerMonitor } from 'electron'\npowerMonitor.on()" })).status,
  ).toBe(1)
})

test('the key store is available once the app is ready, encrypts text, and rejects other bytes', async () => {
  const { output } = await run({
    'main.js': `
      import { app, safeStorage } from 'electron'
      const print = async () =>
        console.log(safeStorage.getSelectedStorageBackend(), await safeStorage.isAsyncEncryptionAvailable())
      await print()
      app.whenReady().then(async () => {
        await print()
        const bytes = await safeStorage.encryptStringAsync('secret')
        console.log(bytes.includes('secret'), (await safeStorage.decryptStringAsync(bytes)).result)
        await safeStorage.decryptStringAsync(Buffer.from('spoiled')).catch((error) => console.log(error.name))
        app.exit(0)
      })`,
  })
  expect(output).toBe('unknown false\nbasic_text true\nfalse secret\nError\n')
})

test('a utility process cannot start before the app is ready, cannot fork, and survives an unhandled rejection', async () => {
  const early = "import { utilityProcess } from 'electron'\nutilityProcess.fork('x.js')"
  expect((await run({ 'main.js': early })).output).toContain('can only be called after the app is ready')
  const { output } = await run({
    'main.js': whenReady(`
      const child = utilityProcess.fork('${folder}/child.js')
      console.log('pid before spawn', child.pid)
      child.on('message', (message) => { console.log(message); app.exit(0) })
    `),
    'child.js': `
      import { fork } from 'node:child_process'
      void Promise.reject(new Error('nobody'))
      setImmediate(() => {
        try { fork('x.js') } catch (error) { process.parentPort.postMessage(error.message) }
      })`,
  })
  expect(output).toContain('pid before spawn undefined')
  expect(output).toContain('child_process.fork does not work in a utility process')
})

test('ports can be passed to utility processes, queue earlier messages, and report a process that has ended', async () => {
  const { output } = await run({
    'main.js': whenReady(`
      const [one, two] = ['one', 'two'].map((name) => utilityProcess.fork('${folder}/' + name + '.js'))
      const { port1, port2 } = new MessageChannelMain()
      one.postMessage(null, [port1])
      two.postMessage(null, [port2])
      try { port1.postMessage('used up') } catch (error) { console.log(error.message) }
      two.on('message', (message) => {
        console.log(message)
        if (message === 'closed') app.exit(0)
        else process.kill(one.pid, 'SIGKILL')
      })
    `),
    'one.js': `process.parentPort.on('message', ({ ports: [port] }) => port.postMessage({ at: new Date(0) }))`,
    'two.js': `process.parentPort.on('message', ({ ports: [port] }) => {
      port.on('message', ({ data }) => process.parentPort.postMessage('received ' + data.at.toISOString()))
      port.on('close', () => process.parentPort.postMessage('closed'))
      setTimeout(() => port.start(), 50)
    })`,
  })
  expect(output).toBe('This port was closed or passed on.\nreceived 1970-01-01T00:00:00.000Z\nclosed\n')
})

test.skipIf(skipWithout('chromium'))(
  'a preload can only require Electron, and what it exposes is frozen',
  async () => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(import.meta.dirname, '../../node_modules/zod'), join(folder, 'node_modules/zod'))
    const { output } = await run({
      'main.js': whenReady(`
      ipcMain.handle('ask', (_event, word) => { if (word === 'fail') throw new TypeError('bad word'); return { word } })
      ipcMain.handle('say', (_event, text) => { console.log(text); app.quit() })
      session.fromPartition('x').protocol
      const window = new BrowserWindow({ webPreferences: { preload: '${folder}/preload.cjs', session: session.fromPartition('x') } })
      window.webContents.loadURL('data:text/html,' + encodeURIComponent('<script>' + ${JSON.stringify(`
        const problems = [...api.problems]
        const push = async () => {
          try { 'use strict'; Object.assign(api, { more: 1 }) } catch (error) { problems.push(error.name) }
          problems.push((await api.ask('x')).word, Object.isFrozen(await api.ask('x')))
          await api.ask('fail').catch((error) => problems.push(error.message))
          await api.ask(() => {}).catch?.(() => {})
        }
        push().catch((error) => problems.push(error.name)).finally(() => api.say(JSON.stringify(problems)))
      `)} + '</script>'))
    `),
      'preload.cjs': `
      const { contextBridge, ipcRenderer } = require('electron')
      const problems = []
      for (const name of ['fs', 'node:path', 'zod', './other.cjs']) {
        try { require(name) } catch (error) { problems.push(error.message) }
      }
      contextBridge.exposeInMainWorld('api', {
        problems,
        ask: (word) => ipcRenderer.invoke('ask', word),
        say: (text) => ipcRenderer.invoke('say', text),
      })`,
    })
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toEqual([
      'module not found: fs',
      'module not found: node:path',
      'module not found: zod',
      'module not found: ./other.cjs',
      'TypeError',
      'x',
      true,
      "Error invoking remote method 'ask': TypeError: bad word",
      'DataCloneError',
    ])
  },
)

test.skipIf(skipWithout('chromium'))(
  'a preload must be CommonJS, and what it exposes is a copy',
  async () => {
    const main = (preload: string): string =>
      whenReady(`
      ipcMain.handle('say', (_event, text) => { console.log(text); app.quit() })
      const window = new BrowserWindow({ webPreferences: { preload: '${folder}/${preload}', session: session.fromPartition('x') } })
      window.webContents.on('did-finish-load', () => { if ('${preload}' === 'module.cjs') { console.log('loaded'); app.quit() } })
      window.webContents.loadURL('data:text/html,' + encodeURIComponent('<script>' + ${JSON.stringify(
        'api.bump().then(() => api.say(JSON.stringify([api.counter.n, api.made.constructor === Object])))',
      )} + '</script>'))
    `)
    const preload = `
      const { contextBridge, ipcRenderer } = require('electron')
      const counter = { n: 1 }
      contextBridge.exposeInMainWorld('api', {
        counter,
        made: Object.assign(Object.create({ inherited: 1 }), { own: 1 }),
        bump: () => { counter.n = 2 },
        say: (text) => ipcRenderer.invoke('say', text),
      })`
    const files = { 'preload.cjs': preload, 'module.cjs': `import 'electron'\n${preload}` }
    expect((await run({ ...files, 'main.js': main('preload.cjs') })).output).toBe('[1,true]\n')
    expect((await run({ ...files, 'main.js': main('module.cjs') })).output).toBe('loaded\n')
  },
)

test('a tray icon needs its image and an app that is ready, and unknown options, methods and themes throw', async () => {
  const early = "import { Tray } from 'electron'\nnew Tray('x.png')"
  expect((await run({ 'main.js': early })).output).toContain('Cannot create Tray before app is ready')
  const { output } = await run({
    'main.js': `import { Notification, Tray, nativeTheme } from 'electron'\n${whenReady(`
      for (const attempt of [
        () => new Tray('missing.png'),
        () => new Notification({ title: 'x', urgency: 'low' }),
        () => new Notification({ title: 'x' }).close(),
        () => { nativeTheme.themeSource = 'blue' },
      ]) {
        try { attempt() } catch (error) { console.log(error.message) }
      }
      app.exit(0)
    `)}`,
  })
  expect(output.trim().split('\n')).toEqual([
    "Failed to load image from path 'missing.png'",
    'The double of Electron has no option "urgency" of Notification.',
    'The double of Electron has no Notification.close.',
    '"blue" is not a theme source.',
  ])
})

test('a packed app is recognized by its archive, and its switches by its arguments', async () => {
  const main = whenReady(`
    console.log(app.isPackaged, app.commandLine.hasSwitch('no-sandbox'), process.resourcesPath)
    app.exit(0)
  `)
  expect((await run({ 'main.js': main })).output).toMatch(/^false false /)
  const packed = await run({ 'main.js': main }, { name: 'app.asar', args: ['--no-sandbox'] })
  expect(packed.output).toBe(`true true ${folder}\n`)
})

test('a dialog without an answer fails', async () => {
  const { status, output } = await run({
    'main.js': `import { dialog } from 'electron'\n${whenReady(
      "await dialog.showMessageBox({ message: 'Really?', buttons: ['Yes', 'No'] })",
    )}`,
  })
  expect({ status, output }).toEqual({ status: 1, output: 'No answer was set up for this dialog: Really?\n' })
})

test('the main process can send requests once the app is ready, and redirects are reported, not followed', async () => {
  const early = "import { net } from 'electron'\nnet.request({ hostname: '127.0.0.1' })"
  expect((await run({ 'main.js': early })).output).toContain('net can only be used after app is ready')
  const { output } = await run({
    'main.js': `import { net } from 'electron'
      import { createServer } from 'node:http'
      ${whenReady(`
      const server = createServer((req, res) => {
        if (req.url === '/here') res.end('found')
        else { res.writeHead(302, { Location: '/here' }); res.end() }
      }).listen(0, '127.0.0.1', () => {
        const ask = (path, follow) => {
          const { port } = server.address()
          const request = net.request({ hostname: '127.0.0.1', port, path, redirect: 'manual' })
          request.on('redirect', (status, _method, url) => { console.log(status, url); follow(url) })
          request.on('response', (response) => response.on('data', (chunk) => { console.log(String(chunk)); app.exit(0) }))
          request.end()
        }
        ask('/there', (url) => ask(url))
      })`)}`,
  })
  expect(output).toBe('302 /here\nfound\n')
})

test('quitting can be delayed until the work is done', async () => {
  const { status, output } = await run({
    'main.js': whenReady(`
      let done = false
      app.on('before-quit', () => console.log('before-quit'))
      app.on('will-quit', (event) => {
        if (done) return
        event.preventDefault()
        setTimeout(() => { done = true; console.log('done'); app.quit() }, 20)
      })
      app.on('quit', () => console.log('quit'))
      app.quit()
    `),
  })
  expect({ status, output }).toEqual({ status: 0, output: 'before-quit\ndone\nbefore-quit\nquit\n' })
})
