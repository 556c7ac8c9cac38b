import { join } from 'node:path'
import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Connection } from '../db/database.ts'
import { auditRepository } from '../domains/releases/history/audit.repository.ts'
import type { Counts } from '../domains/releases/history/audit.repository.ts'
import { pictureAuditRepository } from '../domains/uploads/picture-audit.repository.ts'
import type { PictureCounts } from '../domains/uploads/picture-audit.repository.ts'
import { inBytes } from './progress.ts'
import type { OnProgress } from './progress.ts'

/** Digests of one page. */
const digestsAtOnce = 1000

const folders = ['packages', 'pictures'] as const
export type StoredFolder = (typeof folders)[number]

/** A file that a row refers to. */
export interface StoredFile {
  folder: StoredFolder
  /** Where it lies in a data folder, and what it is called in a backup. */
  name: string
  sha256: string
  /** Bytes. */
  size: number
  /** What it is, in words. */
  what: string
}

export type AllCounts = Counts & PictureCounts

export function countAll(connection: Connection): AllCounts {
  return { ...auditRepository(connection).count(), ...pictureAuditRepository(connection).count() }
}

/** Every file that a row refers to: packages, then pictures, each in the order of the digests. */
export function* storedFiles(connection: Connection): Generator<StoredFile, void, undefined> {
  const audit = auditRepository(connection)
  yield* inPages(audit.listDigests, 'packages', ({ release }) => `the package of ${release}`)
  const pictures = pictureAuditRepository(connection)
  yield* inPages(pictures.listFiles, 'pictures', () => 'the picture')
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

export function pathOf(paths: DataPaths, file: Pick<StoredFile, 'folder' | 'sha256'>): string {
  return join(paths[file.folder], file.sha256)
}

/** Says how far a task is, file by file. */
export function sayFiles(counts: AllCounts, onProgress: OnProgress): (file: StoredFile) => void {
  const tallies = { packages: { done: 0, bytes: 0 }, pictures: { done: 0, bytes: 0 } }
  return ({ folder, size }) => {
    const tally = tallies[folder]
    tally.done += 1
    tally.bytes += size
    onProgress(
      folder === 'packages'
        ? `packages ${tally.done} of ${counts.packages}, ${inBytes(tally.bytes)}`
        : `pictures ${inBytes(tally.bytes)} of ${inBytes(counts.pictureBytes)}`,
    )
  }
}
