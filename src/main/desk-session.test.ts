import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cookies } from 'electron'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepDeskSession } from './desk-session.ts'

const store = vi.hoisted(() => ({ isAvailable: true, backend: 'gnome_libsecret', encrypted: 0 }))

vi.mock('electron', () => ({
  safeStorage: {
    getSelectedStorageBackend: () => store.backend,
    isAsyncEncryptionAvailable: async () => store.isAvailable,
    encryptStringAsync: async (text: string) => {
      store.encrypted += 1
      return Buffer.from(text).map((byte) => byte ^ 0x55)
    },
    decryptStringAsync: async (bytes: Buffer) => ({
      result: Buffer.from(bytes.map((byte) => byte ^ 0x55)).toString(),
      shouldReEncrypt: false,
    }),
  },
}))

const origin = 'http://127.0.0.1:4100'
const now = Date.now() / 1000
const cookie = {
  name: 'skilldock-desk-abcdefgh',
  value: 'v'.repeat(43),
  domain: '127.0.0.1',
  path: '/desk',
  expirationDate: now + 3600 * 24 * 30,
}

let folder = ''
let file = ''
let cookies: EventEmitter

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-session-'))
  file = join(folder, 'desk-session')
  cookies = new EventEmitter()
  Object.assign(store, { isAvailable: true, backend: 'gnome_libsecret', encrypted: 0 })
})
afterEach(() => {
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
})

const open = (methods: object = {}, platform: NodeJS.Platform = 'linux') =>
  keepDeskSession({
    cookies: Object.assign(cookies, { get: async () => [], ...methods }) as unknown as Cookies,
    file,
    platform,
    origin: () => origin,
  })

const change = async (changes: object = {}, cause = 'inserted', isRemoved = false): Promise<void> => {
  cookies.emit('changed', {}, { ...cookie, ...changes }, cause, isRemoved)
  // Everything that the mocked store does is a promise that is already kept.
  await new Promise((resolve) => setImmediate(resolve))
}

test('the cookie is kept encrypted, with mode 0600', async () => {
  open()
  await change()
  expect(readFileSync(file, 'latin1')).not.toContain(cookie.value)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.new`)).toBe(false)
})

test.each([
  ['linux', { isAvailable: false }],
  ['darwin', { isAvailable: false }],
  ['win32', { isAvailable: false }],
  ['linux', { backend: 'basic_text' }],
  ['linux', { backend: 'unknown' }],
] as const)('nothing is kept on %s with %j', async (platform, state) => {
  Object.assign(store, state)
  open({}, platform)
  await change()
  expect([existsSync(file), store.encrypted]).toEqual([false, 0])
})

test.each([
  ['another name', { name: 'other' }],
  ['another host', { domain: 'example.org' }],
  ['another path', { path: '/' }],
  ['a value of no session', { value: 'short' }],
])('a cookie with %s is not kept', async (_what, changes) => {
  open()
  await change(changes)
  expect(existsSync(file)).toBe(false)
})

test('a renewal is written once a day at most, and a new sign-in at once', async () => {
  open()
  await change()
  await change({}, 'overwrite', true)
  await change({ expirationDate: cookie.expirationDate + 3600 })
  expect(store.encrypted).toBe(1)
  await change({ expirationDate: cookie.expirationDate + 2 * 24 * 3600 })
  expect(store.encrypted).toBe(2)
  await change({ value: 'w'.repeat(43) })
  expect(store.encrypted).toBe(3)
})

test('signing out takes the file away, even while a sign-in is being encrypted', async () => {
  open()
  await change()
  await change({}, 'expired-overwrite', true)
  expect(existsSync(file)).toBe(false)
  cookies.emit('changed', {}, cookie, 'inserted', false)
  await change({}, 'explicit', true)
  expect(existsSync(file)).toBe(false)
})

const answer = (reply: () => Response): ReturnType<typeof vi.fn> => {
  const fetching = vi.fn(async () => reply())
  vi.stubGlobal('fetch', fetching)
  return fetching
}

test('what was kept is a cookie of the desk again', async () => {
  open()
  await change()
  const set = vi.fn(async () => {})
  const fetching = answer(() => Response.json({ person: { id: 1 } }))
  expect(await open({ set }).resume(origin)).toBe(true)
  expect(set).toHaveBeenCalledWith({
    url: `${origin}/desk/`,
    name: cookie.name,
    value: cookie.value,
    expirationDate: cookie.expirationDate,
    path: '/desk',
    httpOnly: true,
    sameSite: 'strict',
  })
  expect(fetching).toHaveBeenCalledWith(
    `${origin}/desk/api/state`,
    expect.objectContaining({ headers: { cookie: `${cookie.name}=${cookie.value}` } }),
  )
})

test('what the desk refuses is forgotten; a desk that does not answer has refused nothing', async () => {
  open()
  await change()
  const methods = { set: vi.fn(async () => {}), remove: vi.fn(async () => {}) }
  answer(() => new Response('', { status: 503 }))
  expect(await open(methods).resume(origin)).toBe(false)
  expect([existsSync(file), methods.remove.mock.calls.length]).toEqual([true, 0])
  answer(() => Response.json({ person: null }))
  expect(await open(methods).resume(origin)).toBe(false)
  expect(methods.remove).toHaveBeenCalledWith(`${origin}/desk/`, cookie.name)
  expect(existsSync(file)).toBe(false)
})

test('a spoiled file is taken away and asks nothing of the desk', async () => {
  writeFileSync(file, 'spoiled')
  const fetching = answer(() => Response.json({ person: null }))
  expect(await open().resume(origin)).toBe(false)
  expect([existsSync(file), fetching.mock.calls.length]).toEqual([false, 0])
})
