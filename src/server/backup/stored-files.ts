import { existsSync, mkdirSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { moveFile } from '../../files/durable-files.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Connection } from '../db/database.ts'
import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import type { Counts } from '../domains/releases/history/verify-releases.repository.ts'
import { verifyImagesRepository } from '../domains/uploads/verify-images.repository.ts'
import type { ImageCounts } from '../domains/uploads/verify-images.repository.ts'
import { storageOf } from '../data-folder/storage-marker.ts'
import { readPieces, saveFile } from './files.ts'
import { inBytes } from './progress.ts'
import type { OnProgress } from './progress.ts'

/** Digests per page. */
const digestsAtOnce = 1000

const folders = ['packages', 'pictures'] as const
type StoredFolder = (typeof folders)[number]

/** A file that a row refers to. */
export interface StoredFile {
  folder: StoredFolder
  /** Its path in a data folder and its name in a backup. */
  name: string
  sha256: string
  /** Bytes. */
  size: number
  /** Such as `the package of crc32 1.0.0`. */
  what: string
}

export type AllCounts = Counts & ImageCounts

export function countAll(connection: Connection): AllCounts {
  return { ...verifyReleasesRepository(connection).count(), ...verifyImagesRepository(connection).count() }
}

/** Every file that a row refers to: packages, then images, each ordered by digest. */
export function* storedFiles(connection: Connection): Generator<StoredFile, void, undefined> {
  const rows = verifyReleasesRepository(connection)
  yield* inPages(rows.listDigests, 'packages', ({ release }) => `the package of ${release}`)
  const pictures = verifyImagesRepository(connection)
  yield* inPages(pictures.listFiles, 'pictures', () => 'the image')
}

function* inPages<Row extends { sha256: string; size: number }>(
  list: (after: string, limit: number) => Row[],
  folder: StoredFolder,
  describe: (row: Row) => string,
): Generator<StoredFile, void, undefined> {
  let last = ''
  for (;;) {
    const page = list(last, digestsAtOnce)
    if (page.length === 0) return
    for (const row of page) {
      const { sha256, size } = row
      yield { folder, name: `${folder}/${sha256}`, sha256, size, what: describe(row) }
      last = sha256
    }
  }
}

type FileName = Pick<StoredFile, 'folder' | 'sha256'>

/** Where a file is in a data folder without a bucket. */
export function pathOf(paths: DataPaths, file: FileName): string {
  return join(paths[file.folder], file.sha256)
}

/** The files of a data folder, wherever it keeps them; reading a missing one throws an ENOENT error. */
export interface StoredSource {
  /** The bytes of a file; each piece is valid until the next one is read. */
  read(file: FileName): AsyncGenerator<Buffer, void, undefined>
  /** Moves a file that no row refers to out of the registry; from a bucket it is copied, and removed by the server. */
  setAside(file: FileName, path: string): Promise<void>
  /** The same with all files of a folder. */
  setAsideAll(folder: StoredFolder, target: string): Promise<void>
  /** The names in a folder, without unfinished uploads. */
  list(folder: StoredFolder): AsyncGenerator<string, void, undefined>
}

export async function storedSource(paths: DataPaths): Promise<StoredSource> {
  const location = storageOf(paths)
  if (location === null) {
    return {
      read: (file) => readPieces(pathOf(paths, file)),
      setAside: (file, path) => moveFile(pathOf(paths, file), path),
      async setAsideAll(folder, target) {
        if (existsSync(paths[folder])) await moveFile(paths[folder], target)
      },
      async *list(folder) {
        if (!existsSync(paths[folder])) return
        for await (const { name } of await opendir(paths[folder])) if (!name.endsWith('.part')) yield name
      },
    }
  }
  const { openBucket } = await import('../storage/bucket.ts')
  const bucket = openBucket(location)
  const read: StoredSource['read'] = async function* readObject({ folder, sha256 }) {
    const object = await bucket.get(`${folder}/${sha256}`)
    if (object === null) throw Object.assign(new Error(`${folder}/${sha256} is missing`), { code: 'ENOENT' })
    yield* object.body
  }
  const list: StoredSource['list'] = async function* listObjects(folder) {
    const start = `${folder}/`
    for await (const objects of bucket.list(start)) {
      for (const { key } of objects) yield key.slice(start.length)
    }
  }
  const setAside: StoredSource['setAside'] = async (file, path) => {
    await saveFile(path, read(file))
  }
  return {
    read,
    setAside,
    async setAsideAll(folder, target) {
      mkdirSync(target, { mode: 0o700 })
      for await (const sha256 of list(folder)) await setAside({ folder, sha256 }, join(target, sha256))
    },
    list,
  }
}

/** Returns a function that reports the progress after each file. */
export function createFileProgress(counts: AllCounts, onProgress: OnProgress): (file: StoredFile) => void {
  const tallies = { packages: { done: 0, bytes: 0 }, pictures: { done: 0, bytes: 0 } }
  return ({ folder, size }) => {
    const tally = tallies[folder]
    tally.done += 1
    tally.bytes += size
    onProgress(
      folder === 'packages'
        ? `packages ${tally.done} of ${counts.packages}, ${inBytes(tally.bytes)}`
        : `images ${inBytes(tally.bytes)} of ${inBytes(counts.pictureBytes)}`,
    )
  }
}
