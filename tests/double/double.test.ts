import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { skipWithout } from '../support/programs.ts'

// The double must fail where Electron fails: each trap is an app of a few lines that runs into it.

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-trap-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const launcher = join(import.meta.dirname, 'launch.ts')

async function run(files: Record<string, string>): Promise<{ status: number | null; output: string }> {
  writeFileSync(
    join(folder, 'package.json'),
    '{"name":"trap","version":"1.0.0","type":"module","main":"main.js"}',
  )
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const child = spawn(process.execPath, [launcher, folder], {
    env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') },
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

test('what the double does not have throws, by its name', async () => {
  expect((await run({ 'main.js': whenReady('app.setBadgeCount(3)') })).output).toBe(
    'The double of Electron has no app.setBadgeCount.\n',
  )
  expect(
    (await run({ 'main.js': whenReady("app.on('accessibility-support-changed', () => {})") })).output,
  ).toContain('has no event "accessibility-support-changed" of app')
  expect(
    (await run({ 'main.js': "import { powerMonitor } from 'electron'\npowerMonitor.on()" })).status,
  ).toBe(1)
})

test('a utility process is not there before the app is ready, cannot fork, and survives a rejection', async () => {
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

test('ports pass between utility processes, keep what was sent before, and tell of a process that is gone', async () => {
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
      port.on('message', ({ data }) => process.parentPort.postMessage('heard ' + data.at.toISOString()))
      port.on('close', () => process.parentPort.postMessage('closed'))
      setTimeout(() => port.start(), 50)
    })`,
  })
  expect(output).toBe('This port was closed or passed on.\nheard 1970-01-01T00:00:00.000Z\nclosed\n')
})

test.skipIf(skipWithout('chromium'))(
  'a preload can require Electron and nothing else, and its copies are frozen',
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

test('quitting can be put off until the work is done', async () => {
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
