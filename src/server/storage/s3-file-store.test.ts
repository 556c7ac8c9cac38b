import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { skipWithout } from '../../../tests/support/programs.ts'
import { cleanUp } from '../../../tests/support/server/command-line.ts'
import { describeFileStore } from '../../../tests/support/server/file-store-compliance.ts'
import { startFaultyRelay, startObjectStore } from '../../../tests/support/server/object-store.ts'
import type { ObjectStore } from '../../../tests/support/server/object-store.ts'
import { parseStorageLocation } from '../settings/storage-location.ts'
import { openBucket } from './bucket.ts'
import type { Bucket, BucketTiming } from './bucket.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import { createS3FileStore } from './s3-file-store.ts'
import { asStorageUnavailable } from './storage-errors.ts'

describe.skipIf(skipWithout('versitygw'))('files in a bucket (needs versitygw)', () => {
  let objects: ObjectStore
  let relay: Awaited<ReturnType<typeof startFaultyRelay>>
  beforeAll(async () => {
    objects = await startObjectStore()
    relay = await startFaultyRelay(objects.variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
  })
  afterAll(async () => {
    relay.stop()
    await objects.stop()
    await cleanUp()
  })

  let prefixes = 0
  const openPart = (
    variables = objects.variables,
    timing: Partial<BucketTiming> = {},
  ): { bucket: Bucket; folder: string } => {
    prefixes += 1
    const location = parseStorageLocation(`s3://skills/test-${prefixes}`, variables)
    return {
      bucket: openBucket(location, { retryDelaysMs: [1, 1], ...timing }),
      folder: join(objects.folder, `test-${prefixes}`, 'packages'),
    }
  }
  const filesIn = (folder: string): string[] => {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  }
  const open = (bucket: Bucket, folder: string, cacheBytes = 1e9): Promise<FileStore> =>
    createS3FileStore({ bucket, name: 'packages', folder, cacheBytes, minUnusedMs: -60_000 })

  describeFileStore('a bucket', async () => {
    const { bucket, folder } = openPart()
    const copies = mkdtempSync(join(tmpdir(), 'skilldock-copies-'))
    const forget = (sha256: string): void => rmSync(join(copies, sha256), { force: true })
    return {
      store: await open(bucket, copies),
      count: async () =>
        filesIn(folder).length + filesIn(copies).filter((name) => name.endsWith('.part')).length,
      async damage(sha256) {
        forget(sha256)
        const bytes = readFileSync(join(folder, sha256))
        bytes[0] = (bytes[0] ?? 0) ^ 1
        await bucket.putText(`packages/${sha256}`, bytes.toString('latin1'))
      },
      async remove(sha256) {
        forget(sha256)
        await bucket.remove(`packages/${sha256}`)
      },
      reopen: () => open(bucket, copies),
      end: async () => rmSync(copies, { recursive: true, force: true }),
    }
  })

  let copies: string
  beforeEach(() => {
    copies = mkdtempSync(join(tmpdir(), 'skilldock-copies-'))
    relay.breakWith(null)
    return () => rmSync(copies, { recursive: true, force: true })
  })
  const relayed = () => openPart({ ...objects.variables, SKILLDOCK_S3_ENDPOINT: relay.endpoint })
  const keep = async (store: FileStore, bytes: Buffer): Promise<string> => {
    const file = await store.receive(Readable.from([bytes]))
    await store.keep(file)
    return file.sha256
  }
  const read = async (file: StoredFile): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of file.chunks()) chunks.push(Buffer.from(chunk))
    await file.close()
    return Buffer.concat(chunks)
  }

  test('a kept file is in the bucket, whatever happens to the local copies', async () => {
    const { bucket } = openPart()
    const bytes = randomBytes(3_000_000)
    const sha256 = await keep(await open(bucket, copies), bytes)
    const elsewhere = mkdtempSync(join(tmpdir(), 'skilldock-copies-'))
    expect((await read(await (await open(bucket, elsewhere)).open(sha256))).equals(bytes)).toBe(true)
    rmSync(elsewhere, { recursive: true })
  })

  test('the local copies stay within their limit, and the least recently used goes first', async () => {
    const { bucket } = openPart()
    const store = await open(bucket, copies, 2500)
    const first = await keep(store, randomBytes(1000))
    const second = await keep(store, randomBytes(1000))
    await (await store.open(first)).close()
    const last = await keep(store, randomBytes(1000))
    await expect.poll(() => readdirSync(copies).toSorted()).toEqual([first, last].toSorted())
    await (await store.open(second)).close()
    await expect.poll(() => readdirSync(copies).toSorted()).toEqual([second, last].toSorted())
  })

  test('after a restart the copies are counted, and the oldest goes first', async () => {
    const { bucket } = openPart()
    const [old, recent] = await Promise.all(
      [1000, 1001].map(async (size) => keep(await open(bucket, copies), randomBytes(size))),
    )
    utimesSync(join(copies, old ?? ''), 1, 1)
    const store = await open(bucket, copies, 2500)
    const third = await keep(store, randomBytes(1000))
    await expect.poll(() => readdirSync(copies).toSorted()).toEqual([recent ?? '', third].toSorted())
  })

  test('many readers of a file cause one request to the bucket', async () => {
    const { bucket } = relayed()
    const sha256 = await keep(await open(bucket, copies), randomBytes(500_000))
    rmSync(join(copies, sha256))
    const store = await open(bucket, copies)
    let requests = 0
    relay.breakWith(() => {
      requests += 1
      return false
    })
    const files = await Promise.all(Array.from({ length: 20 }, () => store.open(sha256)))
    await Promise.all(files.map((file) => file.close()))
    expect(requests).toBe(1)
  })

  test('an object with other bytes than its name says is never served, and leaves no copy', async () => {
    const { bucket } = openPart()
    const sha256 = createHash('sha256').update('other').digest('hex')
    await bucket.putText(`packages/${sha256}`, 'not what it says')
    const store = await open(bucket, copies)
    await expect(store.open(sha256)).rejects.toMatchObject({ damage: 'changed' })
    expect(readdirSync(copies)).toEqual([])
  })

  test('the bucket refuses bytes that changed on the way', async () => {
    const { bucket, folder } = openPart()
    const path = join(copies, 'changed')
    writeFileSync(path, 'these bytes')
    await expect(bucket.putFile('packages/x', path, '0'.repeat(64))).rejects.toMatchObject({ status: 400 })
    expect(filesIn(folder)).toEqual([])
  })

  test('a young unused object is not swept: its row may not be written yet', async () => {
    const { bucket } = openPart()
    const sha256 = await keep(await open(bucket, copies), Buffer.from('young'))
    const store = await createS3FileStore({ bucket, name: 'packages', folder: copies, cacheBytes: 1e9 })
    expect(await store.sweep(() => false)).toBe(0)
    await (await store.open(sha256)).close()
  })

  describe('while the bucket fails', () => {
    const bytes = randomBytes(400_000)
    const status = (code: number, name: string) => (res: import('node:http').ServerResponse) => {
      res.writeHead(code, { 'Content-Type': 'application/xml', Connection: 'close' })
      res.end(`<Error><Code>${name}</Code></Error>`)
      return true
    }
    const faults = [
      ['closes each connection', (res) => Boolean(res.destroy())],
      ['is throttled', status(503, 'SlowDown')],
      ['has an internal error', status(500, 'InternalError')],
      ['refuses the credentials', status(403, 'SignatureDoesNotMatch')],
    ] as const satisfies [string, (res: import('node:http').ServerResponse) => boolean][]

    test.each(faults)('that %s: a file is not acknowledged, and can be kept later', async (_what, fault) => {
      const { bucket, folder } = relayed()
      const store = await open(bucket, copies)
      const file = await store.receive(Readable.from([bytes]))
      relay.breakWith((req, res) => {
        req.resume()
        return fault(res)
      })
      const error: unknown = await store.keep(file).catch((reason: unknown) => reason)
      expect(asStorageUnavailable(error)).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfter: 5 })
      expect(asStorageUnavailable(await store.tryWrite().catch((reason: unknown) => reason))).not.toBeNull()
      expect(filesIn(folder)).toEqual([])
      relay.breakWith(null)
      await store.keep(file)
      expect((await read(await store.open(file.sha256))).equals(bytes)).toBe(true)
    })

    test.each(faults)('that %s: copies are served, everything else is unavailable', async (_what, fault) => {
      const { bucket } = relayed()
      const store = await open(bucket, copies)
      const [kept, forgotten] = [await keep(store, bytes), await keep(store, randomBytes(10))]
      rmSync(join(copies, forgotten))
      relay.breakWith((req, res) => {
        req.resume()
        return fault(res)
      })
      expect((await read(await store.open(kept))).equals(bytes)).toBe(true)
      const error: unknown = await store.open(forgotten).catch((reason: unknown) => reason)
      expect(asStorageUnavailable(error)).not.toBeNull()
    })

    test('a bucket that does not answer is given up on', async () => {
      const slow = { ...objects.variables, SKILLDOCK_S3_ENDPOINT: relay.endpoint }
      const { bucket } = openPart(slow, { requestMs: 200 })
      const store = await open(bucket, copies)
      let requests = 0
      relay.breakWith(() => {
        requests += 1
        return true
      })
      const error: unknown = await store.open('0'.repeat(64)).catch((reason: unknown) => reason)
      expect(asStorageUnavailable(error)).not.toBeNull()
      expect(requests).toBe(1)
    })

    test('a truncated answer is neither served nor mistaken for damage', async () => {
      const { bucket } = relayed()
      const sha256 = await keep(await open(bucket, copies), bytes)
      rmSync(join(copies, sha256))
      const store = await open(bucket, copies)
      relay.breakWith((_req, res) => {
        res.writeHead(200, { 'Content-Length': bytes.length })
        res.write(bytes.subarray(0, 1000), () => res.destroy())
        return true
      })
      const error: unknown = await store.open(sha256).catch((reason: unknown) => reason)
      expect(asStorageUnavailable(error)).not.toBeNull()
      expect(readdirSync(copies)).toEqual([])
      relay.breakWith(null)
      expect((await read(await store.open(sha256))).equals(bytes)).toBe(true)
    })

    test('a request that failed once is repeated', async () => {
      const { bucket } = relayed()
      const store = await open(bucket, copies)
      let failed = 0
      relay.breakWith((req, res) => {
        if (failed > 0) return false
        failed += 1
        req.resume()
        return status(503, 'SlowDown')(res)
      })
      const sha256 = await keep(store, bytes)
      expect(failed).toBe(1)
      await (await store.open(sha256)).close()
    })
  })
})

describe('a sweep', () => {
  let copies: string
  beforeEach(() => {
    copies = mkdtempSync(join(tmpdir(), 'skilldock-copies-'))
    return () => rmSync(copies, { recursive: true, force: true })
  })

  /** A bucket in memory whose removals wait for `proceed`; what is in it at first is old. */
  const memoryBucket = (contents: readonly Buffer[]) => {
    const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
    const objects = new Map(
      contents.map((bytes) => [`packages/${digestOf(bytes)}`, { bytes, changedAt: new Date(0) }]),
    )
    const gate = Promise.withResolvers<void>()
    const removing = Promise.withResolvers<void>()
    const used = (): never => {
      throw new Error('not used here')
    }
    const bucket: Bucket = {
      url: 's3://memory',
      async putFile(key, path) {
        objects.set(key, { bytes: readFileSync(path), changedAt: new Date() })
      },
      async get(key) {
        const found = objects.get(key)
        if (found === undefined) return null
        return { size: found.bytes.length, version: '', body: Readable.from([found.bytes]) }
      },
      async remove(key) {
        removing.resolve()
        await gate.promise
        objects.delete(key)
      },
      async *list() {
        yield [...objects].map(([key, { bytes, changedAt }]) => ({ key, size: bytes.length, changedAt }))
      },
      putText: used,
      replace: used,
      getText: used,
      exists: used,
    }
    return { bucket, removing: removing.promise, proceed: () => gate.resolve() }
  }
  const open = (bucket: Bucket): Promise<FileStore> =>
    createS3FileStore({ bucket, name: 'packages', folder: copies, cacheBytes: 1e9 })
  const isInBucket = async (bucket: Bucket, sha256: string): Promise<boolean> =>
    (await bucket.get(`packages/${sha256}`)) !== null

  const [one, other] = [Buffer.from('one'), Buffer.from('another')]

  test('that is removing a file does not remove it once it is kept again', async () => {
    const { bucket, removing, proceed } = memoryBucket([one])
    const store = await open(bucket)
    const file = await store.receive(Readable.from([one]))
    const swept = store.sweep(() => false)
    await removing
    const kept = store.keep(file)
    // Without the wait for the removal, the file is put into the bucket in this turn.
    await nextTurn()
    proceed()
    await Promise.all([swept, kept])
    expect(await isInBucket(bucket, file.sha256)).toBe(true)
    await (await store.open(file.sha256)).close()
  })

  test.each([
    ['since it has listed it', true],
    ['since before it began', false],
  ])('does not remove a file that is being kept %s', async (_when, isLater) => {
    const { bucket, removing, proceed } = memoryBucket([one, other])
    const putting = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow: Bucket = {
      ...bucket,
      async putFile(...put) {
        putting.resolve()
        await gate.promise
        await bucket.putFile(...put)
      },
    }
    const store = await open(slow)
    const file = await store.receive(Readable.from([other]))
    const earlier = isLater ? null : store.keep(file)
    if (!isLater) await putting.promise
    const swept = store.sweep(() => false)
    await removing
    const later = isLater ? store.keep(file) : null
    await putting.promise
    gate.resolve()
    await Promise.all([earlier, later])
    proceed()
    expect(await swept).toBe(1)
    expect(await isInBucket(bucket, file.sha256)).toBe(true)
  })
})
