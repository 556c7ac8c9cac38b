import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolder, makeFolder, moveFile, removeFile } from '../../files/durable-files.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { acquireFileLock } from '../db/file-lock.ts'
import { removeRegistry } from '../data-folder/empty-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import {
  isPlacing,
  markPlacing,
  preparationPrefix,
  removePreparations,
} from '../data-folder/unfinished-restore.ts'
import type { OnProgress } from './progress.ts'
import { backupStatePath } from './backup-state.ts'
import { readBackup } from './read-backup.ts'
import type { ReadBackup } from './read-backup.ts'

/** How many problems an error message lists. */
const namedProblems = 5

/** A registry that was restored and checked next to its destination. */
export interface PreparedRestore<Read> {
  read: Read
  /**
   * Replaces the existing registry, or a part of one, with the prepared one. The caller has locked the folder. The
   * database is removed first and added last, so a folder with a database is complete.
   */
  putInPlace(): Promise<void>
  /** Removes the preparation, unless it is needed to recognize an interrupted restore. */
  discard(): void
}

/**
 * Restores a registry with `fill` in a subfolder, which is on the same disk even if the data folder is a mount point. If
 * it throws a Refusal, nothing is left behind.
 */
export async function prepareRestore<Read>(
  paths: DataPaths,
  fill: (work: DataPaths) => Promise<Read>,
): Promise<PreparedRestore<Read>> {
  // Commands that would create a new database here wait until the restored one is in place.
  const lock = acquireFileLock(paths.initializationLock, 0)
  if (lock === null) throw new Refusal(`Another Skilldock command is preparing ${paths.folder}. Try again.`)
  const work = dataPaths(mkdtempSync(join(paths.folder, preparationPrefix)))
  const discard = (): void => {
    // After an error in the middle of `putInPlace`, this folder is needed to recognize the interrupted restore.
    const isHalfPlaced = isPlacing(work.folder) && existsSync(work.database)
    if (!isHalfPlaced) rmSync(work.folder, { recursive: true, force: true })
    lock.release()
  }
  try {
    const read = await fill(work)
    return { read, putInPlace: () => putInPlace(work, paths), discard }
  } catch (error) {
    discard()
    throw error
  }
}

/** Restores a registry into an empty folder that the caller has locked. If it throws, the caller empties the folder. */
export async function restoreInto<Read>(
  paths: DataPaths,
  fill: (work: DataPaths) => Promise<Read>,
): Promise<Read> {
  const prepared = await prepareRestore(paths, fill)
  try {
    await prepared.putInPlace()
    return prepared.read
  } finally {
    prepared.discard()
  }
}

/** Unpacks and checks a backup. Throws a Refusal that names what is wrong with it. */
export const fromBackup =
  (file: string, onProgress: OnProgress) =>
  async (work: DataPaths): Promise<ReadBackup> => {
    const problems: string[] = []
    let count = 0
    const read = await readBackup(file, {
      work,
      keepFiles: true,
      onProgress,
      onFound({ problem }) {
        count += 1
        if (problems.length < namedProblems) problems.push(problem)
      },
    })
    if (count > 0) {
      const more = count > problems.length ? [`and ${count - problems.length} more`] : []
      throw new Refusal(`The backup contains errors:\n  ${[...problems, ...more].join('\n  ')}`)
    }
    await flushFolder(work.packages)
    await flushFolder(work.pictures)
    return read
  }

async function putInPlace(work: DataPaths, paths: DataPaths): Promise<void> {
  markPlacing(work.folder)
  removePreparations(paths.folder, work.folder)
  await placeBackups(work, paths)
  removeRegistry(paths)
  const parts = [
    'packages',
    'pictures',
    'settings',
    'signingKey',
    'logKey',
    'logCheckpoint',
    'storage',
    'replication',
  ] as const
  for (const part of parts) {
    if (existsSync(work[part])) await moveFile(work[part], paths[part])
  }
  await moveFile(work.database, paths.database)
}

/**
 * Adds the copy from before a migration to the backups that are already there: one of those may be the one that is being
 * restored. The schedule begins again, since those it has recorded are of the replaced registry.
 */
async function placeBackups(work: DataPaths, paths: DataPaths): Promise<void> {
  if (existsSync(paths.backups)) removeFile(backupStatePath(paths))
  if (!existsSync(work.backups)) return
  makeFolder(paths.backups)
  for (const name of readdirSync(work.backups)) {
    await moveFile(join(work.backups, name), join(paths.backups, name))
  }
}
