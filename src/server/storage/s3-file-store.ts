import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Bucket } from './bucket.ts'
import { DamagedFileError } from './file-store.ts'
import type { FileStore, ReceivedFile } from './file-store.ts'
import { createLocalFileStore, digestName } from './local-file-store.ts'
import { toBucketError } from './storage-errors.ts'

/** Larger than any package or image, so anything above it is not one. In bytes. */
const maxObjectBytes = 128 * 1024 ** 2

/** Milliseconds that an unused object is left alone: a package is uploaded before its row is written. */
const minUnusedMs = 3_600_000

/** The object that `tryWrite` replaces. */
const sampleKey = 'write-test'

interface S3FileStoreOptions {
  bucket: Bucket
  /** The part of the bucket, such as `packages`. */
  name: string
  /** Holds received files and the local copies. */
  folder: string
  /** What the local copies may take; several processes that share them may take as much each. */
  cacheBytes: number
  minUnusedMs?: number
}

/**
 * A FileStore in a bucket, with local copies of what was used last. A received file is uploaded before it is kept, so
 * what was acknowledged is in the bucket. A file is fetched as a whole and compared with its digest before its first
 * byte is returned.
 */
export async function createS3FileStore({
  bucket,
  name,
  folder,
  cacheBytes,
  minUnusedMs: minAge = minUnusedMs,
}: S3FileStoreOptions): Promise<FileStore> {
  const local = await createLocalFileStore(folder)
  const keyOf = (sha256: string): string => `${name}/${sha256}`
  /** The sizes of the local copies, the least recently used first. An open file outlives its removal. */
  const copies = new LRUCache<string, number>({
    maxSize: cacheBytes,
    sizeCalculation: (size) => Math.max(1, size),
    dispose(_size, sha256, reason) {
      // A copy that can't be removed is counted again after the next start.
      if (reason === 'evict') local.remove(sha256).catch(() => {})
    },
  })
  for (const [sha256, size] of await listCopies(folder)) copies.set(sha256, size)

  const keepCopy = async (file: ReceivedFile): Promise<void> => {
    await local.keep(file)
    copies.set(file.sha256, file.size)
  }

  const fetchCopy = async (sha256: string): Promise<void> => {
    const object = await bucket.get(keyOf(sha256))
    if (object === null) throw new DamagedFileError(sha256, 'missing')
    if (object.size > maxObjectBytes) {
      object.body.destroy()
      throw new DamagedFileError(sha256, 'changed')
    }
    object.body.on('error', () => {})
    const file = await local.receive(object.body).catch((error: unknown) => {
      throw object.body.errored === null ? error : toBucketError(object.body.errored)
    })
    if (file.sha256 === sha256) return keepCopy(file)
    await local.discard(file)
    throw new DamagedFileError(sha256, 'changed')
  }

  const fetching = new Map<string, Promise<void>>()
  const fetchOnce = (sha256: string): Promise<void> => {
    const known = fetching.get(sha256)
    if (known !== undefined) return known
    const fetched = fetchCopy(sha256).finally(() => fetching.delete(sha256))
    fetching.set(sha256, fetched)
    return fetched
  }

  /** What `read` returns for the local copy, which is fetched if it is missing or damaged. */
  const withCopy = async <Result>(
    sha256: string,
    read: (sha256: string) => Promise<Result>,
  ): Promise<Result> => {
    try {
      const result = await read(sha256)
      copies.get(sha256)
      return result
    } catch (error) {
      if (!(error instanceof DamagedFileError) || !digestName.test(sha256)) throw error
      await fetchOnce(sha256)
      return read(sha256)
    }
  }

  const removing = new Map<string, Promise<void>>()
  const remove = (sha256: string): Promise<void> => {
    const removed = (async () => {
      await bucket.remove(keyOf(sha256))
      copies.delete(sha256)
      await local.remove(sha256)
    })().finally(() => removing.delete(sha256))
    removing.set(sha256, removed)
    return removed
  }

  const keeping = new Set<ReceivedFile>()
  /** Kept since the sweep in progress began, which may have listed an older object with the same bytes. */
  let keptMeanwhile = new Set<string>()

  return {
    receive: local.receive,
    discard: local.discard,
    async keep(file) {
      keeping.add(file)
      keptMeanwhile.add(file.sha256)
      try {
        await removing.get(file.sha256)?.catch(() => {})
        await bucket.putFile(keyOf(file.sha256), file.path, file.sha256)
        await keepCopy(file)
      } finally {
        keeping.delete(file)
      }
    },
    open: (sha256) => withCopy(sha256, local.open),
    locate: (sha256) => withCopy(sha256, local.locate),
    remove,
    async tryWrite() {
      await local.tryWrite()
      await bucket.putText(sampleKey, new Date().toISOString())
    },
    clear: local.clear,
    async sweep(isUsed) {
      let removed = 0
      keptMeanwhile = new Set([...keeping].map(({ sha256 }) => sha256))
      const before = Date.now() - minAge
      for await (const objects of bucket.list(keyOf(''))) {
        for (const { key, changedAt } of objects) {
          const sha256 = key.slice(keyOf('').length)
          if (!digestName.test(sha256) || changedAt.getTime() > before) continue
          if (keptMeanwhile.has(sha256) || isUsed(sha256)) continue
          await remove(sha256)
          removed += 1
        }
      }
      return removed
    },
  }
}

/** The local copies with their sizes in bytes, the oldest first. */
async function listCopies(folder: string): Promise<[string, number][]> {
  const names = (await readdir(folder)).filter((name) => digestName.test(name))
  const found: { name: string; size: number; usedAt: number }[] = []
  for (const name of names) {
    const stats = await stat(join(folder, name)).catch(() => null)
    if (stats !== null) found.push({ name, size: stats.size, usedAt: stats.mtimeMs })
  }
  return found.toSorted((a, b) => a.usedAt - b.usedAt).map(({ name, size }) => [name, size])
}
