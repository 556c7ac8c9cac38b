import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DamagedFileError } from '../../../src/server/storage/file-store.ts'
import type { FileStore } from '../../../src/server/storage/file-store.ts'

/** A store under test and what a test has to do behind its back. */
export interface StoreUnderTest {
  store: FileStore
  /** How many files lie in the store, kept or not. */
  count(): Promise<number>
  /** Changes one byte of a kept file and nothing of its size. */
  damage(sha256: string): Promise<void>
  remove(sha256: string): Promise<void>
  /** Another store on the same files, as after a restart. */
  reopen(): Promise<FileStore>
  end(): Promise<void>
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const source = (...chunks: Uint8Array[]): Readable => Readable.from(chunks)

/** What every FileStore does. Called once for each implementation, in its own test file. */
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
    const read = async (id: string, from = store): Promise<Buffer> => buffer((await from.open(id)).stream())

    test('receives in any chunks, with the size and the digest of the whole, readable at its path', async () => {
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

    test('what is received is not there until it is kept', async () => {
      const file = await store.receive(source(bytes))
      await expect(store.open(file.sha256)).rejects.toMatchObject({ damage: 'missing' })
      await store.keep(file)
      expect(await read(file.sha256)).toEqual(bytes)
    })

    test('a source that fails leaves nothing, at once or in the middle', async () => {
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

    test('discards only what was not kept, and may be asked again', async () => {
      const file = await store.receive(source(bytes))
      await store.discard(file)
      await store.discard(file)
      expect(await under.count()).toBe(0)
      const kept = await store.receive(source(bytes))
      await store.keep(kept)
      await store.discard(kept)
      expect(await read(digest)).toEqual(bytes)
    })

    test('discarding the second of two with the same bytes leaves the first', async () => {
      await keep()
      const second = await store.receive(source(bytes))
      await store.discard(second)
      expect(await read(digest)).toEqual(bytes)
    })

    test('the same bytes twice are one file, also at the same time', async () => {
      await Promise.all(Array.from({ length: 8 }, () => keep()))
      expect(await under.count()).toBe(1)
      expect(await read(digest)).toEqual(bytes)
    })

    test('keeping the same bytes again while they are being read does not disturb the reader', async () => {
      const large = Buffer.alloc(2_000_000, 'abc')
      const id = await keep(large)
      const open = await store.open(id)
      await keep(large)
      expect((await buffer(open.stream())).equals(large)).toBe(true)
    })

    test('opens with the size; may be closed unread; and two readers do not share a place', async () => {
      await keep()
      const file = await store.open(digest)
      expect(file.size).toBe(bytes.length)
      await file.close()
      const both = await Promise.all([read(digest), read(digest)])
      expect(both).toEqual([bytes, bytes])
    })

    test('a file that is not there or was removed is missing', async () => {
      await expect(store.open('0'.repeat(64))).rejects.toThrow(DamagedFileError)
      await expect(store.open('0'.repeat(64))).rejects.toMatchObject({ damage: 'missing' })
      await keep()
      await read(digest)
      await under.remove(digest)
      await expect(store.open(digest)).rejects.toMatchObject({ damage: 'missing', sha256: digest })
    })

    test('a changed byte is found before anything is given out, also after the file was found good', async () => {
      await keep()
      await read(digest)
      await under.damage(digest)
      await expect(store.open(digest)).rejects.toMatchObject({ damage: 'changed', sha256: digest })
      await expect(store.open(digest)).rejects.toMatchObject({ damage: 'changed' })
      // The same bytes sent again mend it.
      await keep()
      expect(await read(digest)).toEqual(bytes)
    })

    test('says where a file is that was checked, and not where a damaged one is', async () => {
      await keep()
      expect(await readFile(await store.locate(digest))).toEqual(bytes)
      await under.damage(digest)
      await expect(store.locate(digest)).rejects.toMatchObject({ damage: 'changed' })
      await under.remove(digest)
      await expect(store.locate(digest)).rejects.toMatchObject({ damage: 'missing' })
    })

    test('after a restart everything kept is there, and a change meanwhile is found', async () => {
      await keep()
      expect(await read(digest, await under.reopen())).toEqual(bytes)
      await under.damage(digest)
      await expect((await under.reopen()).open(digest)).rejects.toMatchObject({ damage: 'changed' })
    })

    test('sweeps what was never kept and what nobody uses, and counts it; what is used stays', async () => {
      const used = await keep()
      const unused = await keep(Buffer.from('unused'))
      await store.receive(source(Buffer.from('left by a crash')))
      const asked: string[] = []
      const removed = await store.sweep((id) => {
        asked.push(id)
        return id === used
      })
      expect(removed).toBe(2)
      expect(asked.toSorted()).toEqual([used, unused].toSorted())
      expect(await under.count()).toBe(1)
      expect(await read(used)).toEqual(bytes)
      await expect(store.open(unused)).rejects.toMatchObject({ damage: 'missing' })
      expect(await store.sweep((id) => id === used)).toBe(0)
    })

    test('tries whether a file could be received, and leaves nothing', async () => {
      const before = await under.count()
      await store.tryWrite()
      expect(await under.count()).toBe(before)
    })
  })
}
