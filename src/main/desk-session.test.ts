import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
const key = 'v'.repeat(43)

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-session-'))
  file = join(folder, 'desk-session')
  Object.assign(store, { isAvailable: true, backend: 'gnome_libsecret', encrypted: 0 })
})
afterEach(() => {
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
})

const open = (platform: NodeJS.Platform = 'linux') => keepDeskSession({ file, platform })

/** All promises of the mocked store are already resolved. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const signIn = async (platform?: NodeJS.Platform) => {
  const session = open(platform)
  session.set(key)
  await settled()
  return session
}

test('the session key is stored encrypted, with mode 0600', async () => {
  const session = await signIn()
  expect(session.get()).toBe(key)
  expect(readFileSync(file, 'latin1')).not.toContain(key)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.new`)).toBe(false)
})

test.each([
  ['linux', { isAvailable: false }],
  ['darwin', { isAvailable: false }],
  ['win32', { isAvailable: false }],
  ['linux', { backend: 'basic_text' }],
  ['linux', { backend: 'unknown' }],
] as const)('nothing is stored on %s with %j, and the window stays signed in', async (platform, state) => {
  Object.assign(store, state)
  const session = await signIn(platform)
  expect([existsSync(file), store.encrypted, session.get()]).toEqual([false, 0, key])
})

test('the file is written only when the key changes', async () => {
  const session = await signIn()
  session.set(key)
  await settled()
  expect(store.encrypted).toBe(1)
  session.set('w'.repeat(43))
  await settled()
  expect(store.encrypted).toBe(2)
})

test('signing out deletes the file, even while a sign-in is being encrypted', async () => {
  const session = await signIn()
  session.set(null)
  await settled()
  expect([existsSync(file), session.get()]).toEqual([false, null])
  session.set(key)
  session.set(null)
  await settled()
  expect([existsSync(file), session.get()]).toEqual([false, null])
})

const answer = (reply: () => Response): ReturnType<typeof vi.fn> => {
  const fetching = vi.fn(async () => reply())
  vi.stubGlobal('fetch', fetching)
  return fetching
}

test('a stored key is sent to the desk in a header and restored as the key of the window', async () => {
  await signIn()
  const fetching = answer(() => Response.json({ person: { id: 1 } }))
  const session = open()
  expect([session.get(), await session.resume(origin), session.get()]).toEqual([null, true, key])
  expect(fetching).toHaveBeenCalledWith(
    `${origin}/desk/api/state`,
    expect.objectContaining({ headers: { authorization: `Bearer ${key}` } }),
  )
})

test('a stored key is deleted if the desk rejects it, and kept if the desk responds with an error', async () => {
  await signIn()
  answer(() => new Response('', { status: 503 }))
  expect(await open().resume(origin)).toBe(false)
  expect(existsSync(file)).toBe(true)
  answer(() => Response.json({ person: null }))
  const session = open()
  expect(await session.resume(origin)).toBe(false)
  expect([existsSync(file), session.get()]).toEqual([false, null])
})

test('a sign-in while the former key is being read or checked is kept', async () => {
  await signIn()
  const [newer, newest] = ['w'.repeat(43), 'x'.repeat(43)]
  const checked = vi.fn(async (_url: string, { headers }: { headers: { authorization: string } }) =>
    Response.json({ person: headers.authorization === `Bearer ${newer}` ? null : { id: 1 } }),
  )
  vi.stubGlobal('fetch', checked)
  const session = open()
  const read = session.resume(origin)
  session.set(newest)
  expect(await read).toBe(true)
  expect(session.get()).toBe(newest)

  session.set(newer)
  const resumed = session.resume(origin)
  session.set(newest)
  expect(await resumed).toBe(true)
  await settled()
  expect([session.get(), existsSync(file)]).toEqual([newest, true])
  expect(checked.mock.calls.map(([, { headers }]) => headers.authorization)).toEqual(
    [newest, newer, newest].map((one) => `Bearer ${one}`),
  )
})

test.each(['spoiled', JSON.stringify({ name: 'skilldock-desk-abcdefgh', value: key, expirationDate: 1 })])(
  'a file with the contents %s is deleted without a request to the desk',
  async (text) => {
    writeFileSync(
      file,
      Buffer.from(text).map((byte) => byte ^ 0x55),
    )
    const fetching = answer(() => Response.json({ person: null }))
    expect(await open().resume(origin)).toBe(false)
    expect([existsSync(file), fetching.mock.calls.length]).toEqual([false, 0])
  },
)
