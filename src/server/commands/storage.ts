import { migrateStorage } from '../backup/migrate-storage.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { findDataFolder, ownEnvironment } from '../settings/config.ts'
import { parseStorageLocation } from '../settings/storage-location.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { storageCommand } from './declarations.ts'
import { UsageError } from './exit-codes.ts'

/** `skilldock storage migrate`: moves packages and images to a bucket, or back to the data folder. */
export async function storage({
  positionals,
  print,
  showProgress,
}: Call<typeof storageCommand>): Promise<Facts> {
  const [action = '', where] = positionals
  if (action !== 'migrate') throw new UsageError(texts.usage.unexpectedArgument(action))
  if (where === undefined) throw new UsageError(texts.storage.missingTarget)
  const target = where === 'local' ? null : parseStorageLocation(where, ownEnvironment())
  const paths = dataPaths(findDataFolder())
  const { files } = await migrateStorage(paths, target, showProgress)
  print(texts.storage.moved(files, target?.url ?? null, paths.folder))
  return { data: { folder: paths.folder, storage: target?.url ?? null, files } }
}
