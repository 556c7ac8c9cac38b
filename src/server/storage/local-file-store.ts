import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import { codeOf } from '../../shared/errors.ts'
import { moveFile } from '../../files/durable-files.ts'
import { noteStreamed } from './collect-garbage.ts'
import { DamagedFileError } from './file-store.ts'
import type { FileStore, ReceivedFile, StoredFile } from './file-store.ts'
import { renameSample, writeSample } from './write-sample.ts'

/** How many checked files are remembered, as a digest and an identity each. */
const rememberedChecks = 10_000

/** Files up to this size, in bytes, are kept in memory: opening and reading one takes longer than sending it. */
const maxCachedFile = 256 * 1024
const maxCachedBytes = 32 * 1024 * 1024

/** A file whose digest has been computed, with its bytes if it is small. */
interface CheckedFile {
  identity: string
  bytes?: Buffer
}

const inMemory = (bytes: Buffer): StoredFile => ({
  size: bytes.length,
  bytes,
  chunks: () => Readable.from([bytes]),
  close: () => Promise.resolve(),
})

const partEnding = '.part'
export const digestName = /^[a-f0-9]{64}$/

/**
 * A FileStore in a local folder. A digest is computed again only if the file's identity (device, inode, size, times)
 * has changed, so that a download does not read its file twice. Small files are served from memory while their
 * identity is the same.
 */
export async function createLocalFileStore(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const checked = new LRUCache<string, CheckedFile>({
    max: rememberedChecks,
    maxSize: maxCachedBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes?.length ?? 0),
  })

  const openChecked = async (sha256: string): Promise<StoredFile> => {
    const known = checked.get(sha256)
    if (known?.bytes !== undefined && identityNow(join(folder, sha256)) === known.identity)
      return inMemory(known.bytes)
    const handle = await openExisting(folder, sha256)
    try {
      const stats = await handle.stat({ bigint: true })
      const identity = identityOf(stats)
      if (stats.size <= maxCachedFile) {
        const bytes = await handle.readFile()
        if (createHash('sha256').update(bytes).digest('hex') !== sha256)
          throw new DamagedFileError(sha256, 'changed')
        checked.set(sha256, { identity, bytes })
        await handle.close()
        return inMemory(bytes)
      }
      if (known?.identity !== identity) {
        if ((await digestOf(handle)) !== sha256) throw new DamagedFileError(sha256, 'changed')
        checked.set(sha256, { identity })
      }
      return {
        size: Number(stats.size),
        chunks: () => readChunks(handle),
        close: () => handle.close(),
      }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  return {
    async receive(source: Readable): Promise<ReceivedFile> {
      const path = join(folder, `${randomUUID()}${partEnding}`)
      const hash = createHash('sha256')
      let size = 0
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          size += chunk.length
          noteStreamed(chunk.length)
          done(null, chunk)
        },
      })
      try {
        await pipeline(source, measure, createWriteStream(path, { flags: 'wx', flush: true, mode: 0o600 }))
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return { path, sha256: hash.digest('hex'), size }
    },

    async discard(file) {
      await rm(file.path, { force: true })
    },

    async keep(file) {
      await moveFile(file.path, join(folder, file.sha256))
    },

    open: openChecked,

    async locate(sha256) {
      const file = await openChecked(sha256)
      await file.close()
      return join(folder, sha256)
    },

    async remove(sha256) {
      checked.delete(sha256)
      await rm(join(folder, sha256), { force: true })
    },

    async tryWrite() {
      await writeSample(folder)
      await renameSample(folder)
    },

    async clear() {
      for (const name of await readdir(folder)) {
        if (name.endsWith(partEnding)) await rm(join(folder, name), { force: true })
      }
    },

    async sweep(isUsed) {
      let removed = 0
      for (const name of await readdir(folder)) {
        if (!digestName.test(name) || isUsed(name)) continue
        await rm(join(folder, name), { force: true })
        removed += 1
      }
      return removed
    },
  }
}

async function openExisting(folder: string, sha256: string): Promise<FileHandle> {
  // A damaged row may contain anything, even a path outside of the folder.
  if (!/^[a-f0-9]{64}$/.test(sha256)) throw new DamagedFileError(sha256, 'missing')
  try {
    return await open(join(folder, sha256), 'r')
  } catch (error) {
    // If the whole folder is missing, the storage is unavailable, not the file damaged.
    if (codeOf(error) === 'ENOENT' && existsSync(folder)) throw new DamagedFileError(sha256, 'missing')
    throw error
  }
}

/** The identity of the file that is there now; null if there is no file. */
function identityNow(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : identityOf(stats)
}

function identityOf(stats: BigIntStats): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':')
}

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(handle)) hash.update(chunk)
  return hash.digest('hex')
}

/** Bytes per chunk. */
const chunkBytes = 262_144

/** The content of a file. While a chunk is in use, the next one is read into the other of two buffers. */
async function* readChunks(handle: FileHandle): AsyncGenerator<Buffer> {
  const read = (buffer: Buffer, position: number) => handle.read(buffer, 0, chunkBytes, position)
  let [current, next] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)]
  let position = 0
  let reading = read(current, position)
  try {
    for (;;) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return
      position += bytesRead
      reading = read(next, position)
      yield current.subarray(0, bytesRead)
      ;[current, next] = [next, current]
    }
  } finally {
    // The file must not be closed while it is being read.
    await reading.catch(() => {})
  }
}
