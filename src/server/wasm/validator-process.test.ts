import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { helperEntries } from '../../../tests/support/server/server.ts'

const ENTRY = helperEntries.modules

// Simulates Electron's utility process over the pipe of a forked one. With `handOver` it also passes a port, whose
// other end is the same pipe.
const parentPort = (handOver: boolean): string => `
  const port = (name) => ({
    started: name === 'parent',
    on(event, listener) {
      if (event === 'message') process.on('message', (data) => {
        if (this.started && data.to === name) listener({ data: data.job, ports: [] })
      })
      if (event === 'close') process.on('message', (data) => { if (data.close === name) listener() })
      if (${handOver} && name === 'parent' && event === 'message') {
        setTimeout(() => listener({ data: undefined, ports: [port('handed')] }), 20)
      }
    },
    start() { this.started = true },
    postMessage(message) { process.send({ from: name, message }) },
  })
  process.parentPort = port('parent')`

let folder = ''
let file = ''
const children: ChildProcess[] = []

const start = (preload?: string): ChildProcess => {
  const execArgv =
    preload === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
  const child = fork(ENTRY, [], { execArgv, env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  return child
}

const heard = async (child: ChildProcess): Promise<unknown> => {
  const [message]: unknown[] = await once(child, 'message')
  return message
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-validator-'))
  file = join(folder, 'module')
  await writeFile(file, await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))'))
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

describe('the validator process', () => {
  it('reports that it is ready, and answers over the pipe', async () => {
    const child = start()
    expect(await heard(child)).toEqual({ ready: true })
    child.send({ id: 7, path: file })
    expect(await heard(child)).toMatchObject({ id: 7, ok: true, rss: expect.any(Number) })
  })

  it('distinguishes an unreadable file from an invalid module, and ignores invalid jobs', async () => {
    const child = start()
    await heard(child)
    child.send({ id: 'x', path: file })
    child.send({ id: 1 })
    child.send({ id: 2, path: join(folder, 'missing') })
    expect(await heard(child)).toMatchObject({ id: 2, ok: null, failed: expect.stringContaining('ENOENT') })
  })

  it('exits when its parent disconnects', async () => {
    const child = start()
    await heard(child)
    const ended = once(child, 'exit')
    child.disconnect()
    expect(await ended).toEqual([0, null])
  })

  it('answers over the parent port of a utility process', async () => {
    const child = start(parentPort(false))
    expect(await heard(child)).toEqual({ from: 'parent', message: { ready: true } })
    child.send({ to: 'parent', job: { id: 3, path: file } })
    expect(await heard(child)).toMatchObject({ from: 'parent', message: { id: 3, ok: true } })
  })

  it('answers over a port passed to it, and exits when that is closed', async () => {
    const child = start(parentPort(true))
    await heard(child)
    expect(await heard(child)).toEqual({ from: 'handed', message: { ready: true } })
    child.send({ to: 'handed', job: { id: 4, path: file } })
    expect(await heard(child)).toMatchObject({ from: 'handed', message: { id: 4, ok: true } })
    const ended = once(child, 'exit')
    child.send({ close: 'handed' })
    expect(await ended).toEqual([0, null])
  })
})
