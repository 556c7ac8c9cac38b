import { FolderInUseError, lockForServing } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { assertRegistry } from '../data-folder/unfinished-restore.ts'
import { openForInspection } from '../db/inspect.ts'
import type { BucketLocation } from '../storage/bucket.ts'
import { openBucket } from '../storage/bucket.ts'
import { DamagedFileError } from '../storage/file-store.ts'
import { openFileStores } from '../storage/open-stores.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import { markedStorage, markStorage, storageOf } from '../data-folder/storage-marker.ts'
import type { OnProgress } from './progress.ts'
import { storedFiles } from './stored-files.ts'
import { storageTexts as texts } from './storage.texts.ts'
import { claimBucket } from './adopt-storage.ts'

/** Files that are copied at the same time. */
const copiesAtOnce = 8

/**
 * Copies every file that a row refers to into a bucket, or back into the data folder (null), and then makes that the
 * place of the registry's files. Each file is compared with its digest. What is already there is not copied again, so an
 * interrupted run continues. Nothing is removed. Throws a Refusal, and FolderInUseError while a server is running.
 */
export async function migrateStorage(
  paths: DataPaths,
  target: BucketLocation | null,
  onProgress: OnProgress,
): Promise<{ files: number }> {
  assertRegistry(paths)
  const lock = lockForServing(paths)
  if (lock === null) throw new FolderInUseError(texts.inUse(paths.folder))
  const connection = openForInspection(paths.database)
  try {
    const url = target?.url ?? null
    if (markedStorage(paths) === url) throw new Refusal(texts.alreadyThere(url ?? paths.folder))
    const bucket = target === null ? null : openBucket(target)
    if (bucket !== null) await claimBucket(bucket, readSigningKey(paths.signingKey).kid)
    // With unlimited local copies, everything that was fetched from a bucket is in the data folder.
    const source = await openFileStores(paths, storageOf(paths), { cacheBytes: Number.MAX_SAFE_INTEGER })
    const files = [...storedFiles(connection)]
    const damaged: string[] = []
    let done = 0
    const waiting = files.values()
    const copy = async (): Promise<void> => {
      for (const { folder, name, sha256, what } of waiting) {
        try {
          if (bucket === null || !(await bucket.exists(name))) {
            const path = await source[folder].locate(sha256)
            await bucket?.putFile(name, path, sha256)
          }
        } catch (error) {
          if (!(error instanceof DamagedFileError)) throw error
          damaged.push(`${name} (${what})`)
        }
        done += 1
        onProgress(texts.progress(done, files.length))
      }
    }
    await Promise.all(Array.from({ length: copiesAtOnce }, copy))
    const [first] = damaged
    if (first !== undefined) throw new Refusal(texts.damaged(damaged.length, first))
    markStorage(paths, url)
    return { files: files.length }
  } finally {
    connection.close()
    lock.release()
  }
}
