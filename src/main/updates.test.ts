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

/** Notes what is asked of it. */
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
    say: (line) => void done.push(line),
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

test('without an address nothing is even loaded', async () => {
  const updates = create()
  updates.setAddress(null)
  await pass(3 * dayMs)
  expect(load).not.toHaveBeenCalled()
  expect(done).toEqual([])
})

test('nothing happens by itself, and nothing tells one installation from another', async () => {
  create().setAddress(address)
  await pass(0)
  expect(updater).toMatchObject({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    requestHeaders: { 'x-user-staging-id': 'none' },
  })
})

test('it is downloaded after one consent and installed after another, when the services have stopped', async () => {
  answers = [true, true]
  create().setAddress(address)
  await pass(0)
  expect(done).toEqual([`address ${address}`, 'check', 'download', 'stop', 'install'])
  expect(questions.map(({ message }) => message)).toEqual([
    'Skilldock 0.2.0 is out. Download it?',
    'Skilldock 0.2.0 is downloaded. Install it now?',
  ])
  expect(questions[0]?.detail).toContain('updates.example')
})

test('a version that was declined is not asked about again; a newer one is', async () => {
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

test('where nothing is newer, nobody is asked', async () => {
  newest = ''
  create().setAddress(address)
  await pass(0)
  expect(done).toEqual([`address ${address}`, 'check'])
  expect(questions).toEqual([])
})

test('an address that is taken away while its answer is on the way counts no more', async () => {
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

test('an address that is changed while the first is asked is asked next', async () => {
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

test('what fails is said in one line and tried again the next day', async () => {
  check = () => Promise.reject(new Error('404 not found\nHeaders: {}'))
  create().setAddress(address)
  await pass(0)
  expect(done.at(-1)).toBe(`No new version from ${address}: 404 not found`)
  check = () => Promise.resolve()
  await pass(dayMs)
  expect(questions).toHaveLength(1)
})
