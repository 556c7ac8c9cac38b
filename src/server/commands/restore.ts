import { existsSync } from 'node:fs'
import { restoreBackup } from '../backup/restore-backup.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { claimEmptyFolder } from '../data-folder/empty-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { restoreCommand } from './declarations.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

/** `skilldock restore FILE`: restores a backup into an empty data folder, completely or not at all. */
export async function restore({
  positionals: [file = ''],
  print,
}: Call<typeof restoreCommand>): Promise<Facts> {
  if (!existsSync(file)) throw new Refusal(texts.usage.noFile(file))
  const paths = dataPaths(findDataFolder())
  const line = createProgressLine()
  const folder = claimEmptyFolder(paths, 'skilldock restore', { overRestore: true })
  return interruptible(folder.abandon, async () => {
    try {
      const { counts, createdAt } = await restoreBackup(file, paths, line.show)
      folder.release()
      line.clear()
      print(texts.restore.done(counts, createdAt, paths.folder))
      return { data: { folder: paths.folder, createdAt, counts } }
    } catch (error) {
      line.clear()
      if (error instanceof Refusal) {
        throw new Refusal(texts.restore.failed(error.message), { cause: error })
      }
      throw error
    } finally {
      folder.abandon()
    }
  })
}
