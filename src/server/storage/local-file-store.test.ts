import { watch } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeFileStore } from '../../../tests/support/server/file-store-compliance.ts'
import type { FileStore } from './file-store.ts'
import { createLocalFileStore } from './local-file-store.ts'
import { asStorageUnavailable } from './storage-errors.ts'

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path)
  const handle = await open(path, 'r+')
  await handle.write(Buffer.of((bytes[0] ?? 0) ^ 1), 0, 1, 0)
  await handle.close()
}

describeFileStore('a local folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-files-'))
  return {
    store: await createLocalFileStore(folder),
    count: async () => (await readdir(folder)).length,
    damage: (sha256) => flip(join(folder, sha256)),
    remove: (sha256) => rm(join(folder, sha256)),
    reopen: () => createLocalFileStore(folder),
    end: () => rm(folder, { recursive: true, force: true }),
  }
})

let parent: string
let folder: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'skilldock-local-'))
  folder = join(parent, 'packages')
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const keep = async (bytes: Buffer): Promise<string> => {
  const store = await createLocalFileStore(folder)
  const file = await store.receive(Readable.from([bytes]))
  await store.keep(file)
  return file.sha256
}

test.skipIf(process.platform === 'win32')('folder and files are accessible to their owner only', async () => {
  const id = await keep(Buffer.from('x'))
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, id))).mode & 0o777).toBe(0o600)
})

/** Bytes that this process reads while a file is opened, according to the system. */
const readsOf = async (store: FileStore, id: string): Promise<number> => {
  const bytesRead = async (): Promise<number> =>
    Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1])
  const before = await bytesRead()
  await (await store.open(id)).close()
  return (await bytesRead()) - before
}

test.runIf(process.platform === 'linux')('an unchanged file is hashed only once', async () => {
  const id = await keep(Buffer.alloc(8_000_000, 1))
  const store = await createLocalFileStore(folder)
  expect(await readsOf(store, id)).toBeGreaterThan(8_000_000)
  expect(await readsOf(store, id)).toBeLessThan(1_000_000)
})

test.runIf(process.platform === 'linux')('small files are read only once, up to 32 MiB of them', async () => {
  const size = 256 * 1024
  const ids: string[] = []
  for (let index = 0; index < 129; index += 1) ids.push(await keep(Buffer.alloc(size, index)))
  const store = await createLocalFileStore(folder)
  const [first = '', second = '', ...others] = ids
  expect(await readsOf(store, first)).toBeGreaterThan(size)
  expect(await readsOf(store, first)).toBeLessThan(size)
  expect(await readsOf(store, second)).toBeGreaterThan(size)
  // The first is used again, so the second is the one that no longer fits.
  await readsOf(store, first)
  for (const id of others) await readsOf(store, id)
  expect(await readsOf(store, first)).toBeLessThan(size)
  expect(await readsOf(store, second)).toBeGreaterThan(size)
})

test.skipIf(process.platform === 'win32')(
  'a change is detected even if the old modification time is restored',
  async () => {
    const id = await keep(Buffer.from('original'))
    const store = await createLocalFileStore(folder)
    const path = join(folder, id)
    // A whole second: fractions could not be restored exactly.
    await utimes(path, 1000, 1000)
    await (await store.open(id)).close()
    await flip(path)
    await utimes(path, 1000, 1000)
    expect((await stat(path)).mtimeMs).toBe(1_000_000)
    await expect(store.open(id)).rejects.toMatchObject({ damage: 'changed' })
  },
)

test('a file replaced by a rename is detected', async () => {
  const id = await keep(Buffer.from('original'))
  const store = await createLocalFileStore(folder)
  await (await store.open(id)).close()
  await writeFile(join(parent, 'evil'), 'ORIGINAL')
  await rename(join(parent, 'evil'), join(folder, id))
  await expect(store.open(id)).rejects.toMatchObject({ damage: 'changed' })
})

test('the descriptor is closed after reading, after an abort and after damage', async () => {
  if (process.platform !== 'linux') return
  const descriptors = async (): Promise<number> => (await readdir('/proc/self/fd')).length
  const id = await keep(Buffer.alloc(1_000_000, 1))
  const store = await createLocalFileStore(folder)
  const before = await descriptors()
  for (let round = 0; round < 20; round += 1) {
    const read = await store.open(id)
    let size = 0
    for await (const chunk of read.chunks()) size += chunk.length
    expect(size).toBe(1_000_000)
    await read.close()
    const aborted = await store.open(id)
    for await (const chunk of aborted.chunks()) if (chunk.length > 0) break
    await aborted.close()
    await (await store.open(id)).close()
  }
  expect(await descriptors()).toBeLessThanOrEqual(before + 2)
  // A small file, so that no garbage collection closes leaked descriptors.
  const small = await keep(Buffer.from('x'))
  await flip(join(folder, small))
  const beforeDamage = await descriptors()
  for (let round = 0; round < 20; round += 1) {
    await expect(store.open(small)).rejects.toMatchObject({ damage: 'changed' })
  }
  expect(await descriptors()).toBeLessThanOrEqual(beforeDamage + 2)
})

test('a sweep leaves files that do not belong to the store', async () => {
  await keep(Buffer.from('x'))
  await writeFile(join(folder, 'README.txt'), 'mine')
  await writeFile(join(folder, 'A'.repeat(64)), 'mine')
  await writeFile(join(folder, 'a'.repeat(63)), 'mine')
  const store = await createLocalFileStore(folder)
  expect(await store.sweep(() => false)).toBe(1)
  expect((await readdir(folder)).toSorted()).toEqual(
    ['A'.repeat(64), 'README.txt', 'a'.repeat(63)].toSorted(),
  )
})

test.skipIf(process.platform === 'win32')(
  'a missing folder means that the storage is unavailable, including for a test write',
  async () => {
    const store = await createLocalFileStore(folder)
    await rename(folder, `${folder}.away`)
    expect(asStorageUnavailable(await store.tryWrite().catch((error: unknown) => error))).not.toBeNull()
    const refused = await store.receive(Readable.from([Buffer.from('x')])).catch((error: unknown) => error)
    expect(asStorageUnavailable(refused)).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfter: 5 })
    await rename(`${folder}.away`, folder)
    await store.tryWrite()
  },
)

test('a test write has a name of its own, and leaves nothing behind', async () => {
  const store = await createLocalFileStore(folder)
  const seen = new Set<string>()
  const watcher = watch(folder, (_event, name) => void seen.add(String(name)))
  await store.tryWrite()
  await vi.waitFor(() => expect(seen.size).toBeGreaterThan(0))
  watcher.close()
  for (const name of seen) expect(name).toMatch(/^sample-.*\.part$/)
  expect(await readdir(folder)).toEqual([])
})

test.skipIf(process.platform === 'win32')('a folder that is a symbolic link is followed', async () => {
  await mkdir(join(parent, 'disk'))
  await symlink(join(parent, 'disk'), folder)
  const id = await keep(Buffer.from('x'))
  expect(await readdir(join(parent, 'disk'))).toEqual([id])
})
