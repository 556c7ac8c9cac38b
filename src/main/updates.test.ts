import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUpdates } from './updates.ts'
import type { Question, Updater } from './updates.ts'

const address = 'https://updates.example/app'
const dayMs = 86_400_000

let done: string[] = []
let answers: boolean[] = []
let questions: Question[] = []
let newest = ''
let check: () => Promise<void> = () => Promise.resolve()

/** Records the calls. */
const updater = {
  setFeedURL: ({ url }: { url: string }) => void done.push(`address ${url}`),
  async checkForUpdates() {
    done.push('check')
    await check()
    return { isUpdateAvailable: newest !== '', updateInfo: { version: newest } }
  },
  downloadUpdate: () => Promise.resolve([void done.push('download')]),
  quitAndInstall: () => void done.push('install'),
} as unknown as Updater

const load = vi.fn(() => Promise.resolve(updater))

const create = () =>
  createUpdates({
    version: '0.1.0',
    load,
    ask(question) {
      questions.push(question)
      return Promise.resolve(answers.shift() ?? false)
    },
    beforeInstall: () => Promise.resolve(void done.push('stop')),
    log: (line) => void done.push(line),
  })

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  done = []
  answers = []
  questions = []
  newest = '0.2.0'
  check = () => Promise.resolve()
  load.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
})

test('without an address, the updater is not even loaded', async () => {
  const updates = create()
  updates.setAddress(null)
  await pass(3 * dayMs)
  expect(load).not.toHaveBeenCalled()
  expect(done).toEqual([])
})

test('nothing is automatic, and requests do not identify the installation', async () => {
  create().setAddress(address)
  await pass(0)
  expect(updater).toMatchObject({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    requestHeaders: { 'x-user-staging-id': 'none' },
  })
})

test('an update is downloaded after one consent and installed after another, once the services have stopped', async () => {
  answers = [true, true]
  create().setAddress(address)
  await pass(0)
  expect(done).toEqual([`address ${address}`, 'check', 'download', 'stop', 'install'])
  expect(questions.map(({ message }) => message)).toEqual([
    'Skilldock 0.2.0 is available. Download it?',
    'Skilldock 0.2.0 has been downloaded. Install it now?',
  ])
  expect(questions[0]?.detail).toContain('updates.example')
})

test('a declined version is not offered again, but a newer one is', async () => {
  const updates = create()
  updates.setAddress(address)
  await pass(dayMs)
  expect(done.filter((step) => step === 'check')).toHaveLength(2)
  expect(questions).toHaveLength(1)
  newest = '0.3.0'
  answers = [true, false]
  await pass(2 * dayMs)
  expect(questions).toHaveLength(3)
  expect(done.filter((step) => step === 'download')).toHaveLength(1)
  expect(done).not.toContain('install')
})

test('without a newer version, nothing is asked', async () => {
  newest = ''
  create().setAddress(address)
  await pass(0)
  expect(done).toEqual([`address ${address}`, 'check'])
  expect(questions).toEqual([])
})

test('a response is ignored if the address has been removed in the meantime', async () => {
  const answer = Promise.withResolvers<void>()
  check = () => answer.promise
  answers = [true, true]
  const updates = create()
  updates.setAddress(address)
  await pass(0)
  updates.setAddress(null)
  answer.resolve()
  await pass(3 * dayMs)
  expect(questions).toEqual([])
  expect(done.filter((step) => step === 'check')).toHaveLength(1)
})

test('an address that is changed during a check is checked next', async () => {
  const answer = Promise.withResolvers<void>()
  check = () => answer.promise
  const updates = create()
  updates.setAddress(address)
  await pass(0)
  updates.setAddress('https://other.example')
  answer.resolve()
  await pass(0)
  expect(done).toEqual([`address ${address}`, 'check', 'address https://other.example', 'check'])
  expect(questions).toHaveLength(1)
  expect(questions[0]?.detail).toContain('other.example')
})

test('a failure is logged in one line, and the check is repeated the next day', async () => {
  check = () => Promise.reject(new Error('404 not found\nHeaders: {}'))
  create().setAddress(address)
  await pass(0)
  expect(done.at(-1)).toBe(`The update check at ${address} failed: 404 not found`)
  check = () => Promise.resolve()
  await pass(dayMs)
  expect(questions).toHaveLength(1)
})
