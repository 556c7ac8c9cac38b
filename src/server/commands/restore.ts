import { existsSync } from 'node:fs'
import { fromBackup, restoreInto } from '../backup/restore-backup.ts'
import { findDataFolder, ownEnvironment } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { claimEmptyFolder } from '../data-folder/empty-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { fromBucket } from '../replication/restore-from-bucket.ts'
import { litestreamOf, parseStorageLocation, readStorageLocation } from '../settings/storage-location.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { promoteCommand, restoreCommand } from './declarations.ts'
import { UsageError } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'

/** `skilldock restore FILE|s3://…`: restores a registry into an empty data folder, completely or not at all. */
export async function restore({
  positionals: [source = ''],
  print,
  showProgress,
}: Call<typeof restoreCommand>): Promise<Facts> {
  if (source.startsWith('s3://')) {
    const location = parseStorageLocation(source, ownEnvironment())
    const [folder, { epoch }] = await fill(
      'skilldock restore',
      fromBucket(location, litestreamOf(ownEnvironment())),
    )
    print(texts.restore.fromBucket(location.url, folder))
    return { data: { folder, storage: location.url, epoch } }
  }
  if (!existsSync(source)) throw new Refusal(texts.usage.noFile(source))
  const [folder, { counts, createdAt }] = await fill('skilldock restore', fromBackup(source, showProgress))
  print(texts.restore.done(counts, createdAt, folder))
  return { data: { folder, createdAt, counts } }
}

/** `skilldock promote`: makes this machine the one that writes a registry whose database is in a bucket. */
export async function promote({ print }: Call<typeof promoteCommand>): Promise<Facts> {
  const location = readStorageLocation(ownEnvironment())
  if (location === null) throw new UsageError(texts.promote.noBucket)
  const program = litestreamOf(ownEnvironment())
  const [folder, { epoch }] = await fill(
    'skilldock promote',
    fromBucket(location, program, { promoted: true }),
  )
  print(texts.promote.done(location.url, epoch, folder))
  return { data: { folder, storage: location.url, epoch } }
}

/** Returns the path of the data folder, and what was restored there. */
async function fill<Read>(
  purpose: string,
  source: (work: DataPaths) => Promise<Read>,
): Promise<[folder: string, read: Read]> {
  const paths = dataPaths(findDataFolder())
  const folder = claimEmptyFolder(paths, purpose, { overRestore: true })
  return interruptible(folder.abandon, async () => {
    try {
      const read = await restoreInto(paths, source)
      folder.release()
      return [paths.folder, read]
    } catch (error) {
      if (error instanceof Refusal) {
        throw new Refusal(texts.restore.failed(error.message), { cause: error })
      }
      throw error
    }
  })
}
