import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DamagedFileError } from '../../../src/server/storage/file-store.ts'
import type { FileStore, StoredFile } from '../../../src/server/storage/file-store.ts'

/** A store under test, with direct access to its files. */
export interface StoreUnderTest {
  store: FileStore
  /** The number of files in the store, including received ones that were not kept. */
  count(): Promise<number>
  /** Changes one byte of a kept file without changing its size. */
  damage(sha256: string): Promise<void>
  remove(sha256: string): Promise<void>
  /** Opens another store on the same files, as after a restart. */
  reopen(): Promise<FileStore>
  end(): Promise<void>
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const source = (...chunks: Uint8Array[]): Readable => Readable.from(chunks)

/** Tests that every FileStore must pass. Called for each implementation in its own test file. */
export function describeFileStore(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a FileStore`, () => {
    let under: StoreUnderTest
    let store: FileStore
    beforeEach(async () => {
      under = await make()
      store = under.store
    })
    afterEach(() => under.end())

    const bytes = Buffer.from('the bytes of a package')
    const digest = sha256(bytes)
    const keep = async (content = bytes): Promise<string> => {
      const file = await store.receive(source(content))
      await store.keep(file)
      return file.sha256
    }
    /** Copies each chunk, because its buffer is used again. */
    const readOpen = async (file: StoredFile): Promise<Buffer> => {
      const chunks: Buffer[] = []
      for await (const chunk of file.chunks()) chunks.push(Buffer.from(chunk))
      await file.close()
      return Buffer.concat(chunks)
    }
    const read = async (id: string, from = store): Promise<Buffer> => readOpen(await from.open(id))

    test('receives a file in chunks of any size, and returns its size, digest and path', async () => {
      const large = Buffer.alloc(1_000_003, 'abc')
      const forms: [Uint8Array[], Buffer][] = [
        [[bytes], bytes],
        [[...bytes].map((byte) => Uint8Array.of(byte)), bytes],
        [[], Buffer.alloc(0)],
        [[large.subarray(0, 65_536), large.subarray(65_536)], large],
      ]
      for (const [chunks, whole] of forms) {
        const file = await store.receive(source(...chunks))
        expect(file).toMatchObject({ size: whole.length, sha256: sha256(whole) })
        expect((await readFile(file.path)).equals(whole)).toBe(true)
        await store.discard(file)
      }
      expect(await under.count()).toBe(0)
    })

    test('a received file cannot be opened until it is kept', async () => {
      const file = await store.receive(source(bytes))
      await expect(store.open(file.sha256)).rejects.toMatchObject({ damage: 'missing' })
      await store.keep(file)
      expect(await read(file.sha256)).toEqual(bytes)
    })

    test('a source that fails at any point leaves no file', async () => {
      const failing = (after: number): Readable => {
        let sent = 0
        return new Readable({
          read() {
            if (sent < after) {
              sent += 1
              this.push(Buffer.alloc(100_000))
            } else this.destroy(new Error('broke off'))
          },
        })
      }
      for (const after of [0, 1, 5]) {
        await expect(store.receive(failing(after))).rejects.toThrow('broke off')
        expect(await under.count()).toBe(0)
      }
      const closed = new Readable({ read() {} })
      const receiving = store.receive(closed)
      closed.push(bytes)
      setImmediate(() => closed.destroy())
      await expect(receiving).rejects.toThrow()
      expect(await under.count()).toBe(0)
    })

    test('discards only files that were not kept, and can do so twice', async () => {
      const file = await store.receive(source(bytes))
      await store.discard(file)
      await store.discard(file)
      expect(await under.count()).toBe(0)
      const kept = await store.receive(source(bytes))
      await store.keep(kept)
      await store.discard(kept)
      expect(await read(digest)).toEqual(bytes)
    })

    test('discarding a duplicate keeps the first file', async () => {
      await keep()
      const second = await store.receive(source(bytes))
      await store.discard(second)
      expect(await read(digest)).toEqual(bytes)
    })

    test('identical bytes are stored as one file, even if received at the same time', async () => {
      await Promise.all(Array.from({ length: 8 }, () => keep()))
      expect(await under.count()).toBe(1)
      expect(await read(digest)).toEqual(bytes)
    })

    test('keeping identical bytes again does not affect a reader', async () => {
      const large = Buffer.alloc(2_000_000, 'abc')
      const id = await keep(large)
      const open = await store.open(id)
      await keep(large)
      expect((await readOpen(open)).equals(large)).toBe(true)
    })

    test('an open file has a size, can be closed unread, and is read independently by two readers', async () => {
      await keep()
      const file = await store.open(digest)
      expect(file.size).toBe(bytes.length)
      await file.close()
      const both = await Promise.all([read(digest), read(digest)])
      expect(both).toEqual([bytes, bytes])
    })

    test('a file that never existed or was removed is reported as missing', async () => {
      await expect(store.open('0'.repeat(64))).rejects.toThrow(DamagedFileError)
      await expect(store.open('0'.repeat(64))).rejects.toMatchObject({ damage: 'missing' })
      await keep()
      await read(digest)
      await under.remove(digest)
      await expect(store.open(digest)).rejects.toMatchObject({ damage: 'missing', sha256: digest })
    })

    test('a changed byte is detected before any byte is returned, even if the file was intact before', async () => {
      await keep()
      await read(digest)
      await under.damage(digest)
      await expect(store.open(digest)).rejects.toMatchObject({ damage: 'changed', sha256: digest })
      await expect(store.open(digest)).rejects.toMatchObject({ damage: 'changed' })
      // Receiving the same bytes again repairs it.
      await keep()
      expect(await read(digest)).toEqual(bytes)
    })

    test('returns the path of a verified file, but not of a damaged one', async () => {
      await keep()
      expect(await readFile(await store.locate(digest))).toEqual(bytes)
      await under.damage(digest)
      await expect(store.locate(digest)).rejects.toMatchObject({ damage: 'changed' })
      await under.remove(digest)
      await expect(store.locate(digest)).rejects.toMatchObject({ damage: 'missing' })
    })

    test('after a restart all kept files are available, and changes are detected', async () => {
      await keep()
      expect(await read(digest, await under.reopen())).toEqual(bytes)
      await under.damage(digest)
      await expect((await under.reopen()).open(digest)).rejects.toMatchObject({ damage: 'changed' })
    })

    test('removes files that were never kept', async () => {
      await keep()
      await store.receive(source(Buffer.from('left by a crash')))
      await store.clear()
      expect(await under.count()).toBe(1)
      expect(await read(digest)).toEqual(bytes)
    })

    test('sweeps unused files, and counts them', async () => {
      const used = await keep()
      const unused = await keep(Buffer.from('unused'))
      const checked: string[] = []
      const removed = await store.sweep((id) => {
        checked.push(id)
        return id === used
      })
      expect(removed).toBe(1)
      expect(checked.toSorted()).toEqual([used, unused].toSorted())
      expect(await under.count()).toBe(1)
      expect(await read(used)).toEqual(bytes)
      await expect(store.open(unused)).rejects.toMatchObject({ damage: 'missing' })
      expect(await store.sweep((id) => id === used)).toBe(0)
    })

    test('checks whether a file can be received, and leaves no file', async () => {
      const before = await under.count()
      await store.tryWrite()
      expect(await under.count()).toBe(before)
    })
  })
}
