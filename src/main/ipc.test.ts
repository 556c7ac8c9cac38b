import { beforeEach, expect, test, vi } from 'vitest'
import { ipcSchema } from '../shared/ipc-schema.ts'
import type { IpcCaller, IpcHandlers } from '../shared/ipc-schema.ts'
import { answerIpc } from './ipc.ts'

type Handler = (event: { senderFrame: object | null }, ...args: unknown[]) => Promise<unknown>

const channels = vi.hoisted(() => new Map<string, unknown>())

vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, handler: unknown) => void channels.set(channel, handler) },
  app: {},
  protocol: {},
  shell: {},
}))

const desk = 'http://127.0.0.1:4200'
const pages: Record<IpcCaller, string> = { desk: `${desk}/desk/review`, shell: 'skilldock-shell://app/' }
const refused = 'This page is not allowed to make this call.'

let calls: string[]
let origin: string | null

beforeEach(() => {
  channels.clear()
  calls = []
  origin = desk
  const handlers = Object.fromEntries(
    Object.entries(ipcSchema).map(([group, names]) => [
      group,
      Object.fromEntries(Object.keys(names).map((name) => [name, () => void calls.push(`${group}.${name}`)])),
    ]),
  )
  answerIpc(handlers as unknown as IpcHandlers, () => origin)
})

const ask = (channel: string, senderFrame: object | null, ...args: unknown[]): Promise<string> =>
  (channels.get(channel) as Handler)({ senderFrame }, ...args).then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )

const frame = (url: string, parent: object | null = null) => ({ url, parent })

/** Valid arguments of the calls that have one. */
const samples: Record<string, unknown> = {
  'shell.usePort': { service: 'dashboard', port: 4300 },
  'setup.useDataFolder': '/data',
  'session.set': { key: 'k'.repeat(43) },
  'files.chooseFolder': { purpose: 'data' },
  'files.saveModule': { name: 'csv-1.0.0.wasm', sha256: 'a'.repeat(64), bytes: new Uint8Array(8) },
  'preferences.set': { keepInTray: false },
  'window.setTheme': 'dark',
}

const every = Object.entries(ipcSchema).flatMap(([group, names]) =>
  Object.entries(names).map(([name, call]) => ({
    channel: `${group}.${name}`,
    callers: call.callers as readonly IpcCaller[],
  })),
)

test.each(every)(
  '$channel accepts calls only from the main frame of its own pages',
  async ({ channel, callers }) => {
    for (const [caller, url] of Object.entries(pages) as [IpcCaller, string][]) {
      const isCaller = callers.includes(caller)
      calls = []
      const answer = await ask(channel, frame(url), samples[channel])
      expect([caller, answer === refused]).toEqual([caller, !isCaller])
      expect(calls).toEqual(isCaller ? [channel] : [])
    }
    calls = []
    for (const sender of [
      null,
      frame(pages.desk, frame(pages.desk)),
      frame(pages.shell, frame(pages.shell)),
      frame('http://127.0.0.1:4201/desk/'),
      frame('http://127.0.0.1:4200.example.org/'),
      frame('skilldock-shell://other/'),
      frame('file:///desk/'),
      frame('about:blank'),
      frame(''),
    ]) {
      expect(await ask(channel, sender)).toBe(refused)
    }
    expect(calls).toEqual([])
  },
)

test.each(every)('$channel rejects unknown arguments', async ({ channel, callers }) => {
  const page = frame(pages[callers[0] ?? 'desk'])
  for (const args of [[7], [{ unknown: 1 }], [null], [undefined, undefined], [samples[channel], 2]]) {
    expect(await ask(channel, page, ...args)).toBe('The arguments of this call are invalid.')
  }
  expect(calls).toEqual([])
})

test.each([
  ['files.saveModule', { bytes: new Uint8Array(16 * 1024 ** 2 + 1) }],
  ['files.saveModule', { bytes: [0, 97, 115, 109] }],
  ['files.saveModule', { name: '../csv.wasm' }],
  ['files.saveModule', { name: 'csv.exe' }],
  ['files.saveModule', { sha256: 'A'.repeat(64) }],
  ['shell.usePort', { port: 0 }],
  ['shell.usePort', { port: 65_536 }],
  ['shell.usePort', { service: 'other' }],
  ['preferences.set', { keepInTray: 'yes' }],
])('%s rejects invalid arguments', async (channel, wrong) => {
  const page = frame(pages[channel === 'shell.usePort' ? 'shell' : 'desk'])
  const argument = { ...(samples[channel] as object), ...wrong }
  expect(await ask(channel, page, argument)).toBe('The arguments of this call are invalid.')
  expect(calls).toEqual([])
})

test('while there is no desk, no page counts as the desk', async () => {
  origin = null
  expect(await ask('app.info', frame(pages.desk))).toBe(refused)
  expect(await ask('app.info', frame('nonsense'))).toBe(refused)
})
