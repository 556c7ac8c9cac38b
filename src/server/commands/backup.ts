import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { prepareBackup } from '../backup/create-backup.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { backupCommand } from './declarations.ts'
import { interruptible } from './interruptible.ts'

/** `skilldock backup FILE`: writes a complete backup to one file, even while a server is running. */
export async function backup({
  positionals: [file = ''],
  print,
  showProgress,
}: Call<typeof backupCommand>): Promise<Facts> {
  // The requests of a running server come first.
  setPriority(constants.priority.PRIORITY_LOW)
  const task = prepareBackup(dataPaths(findDataFolder()), file, showProgress)
  return interruptible(task.abandon, async () => {
    const { counts, size: bytes } = await task.run()
    print(texts.backup.done(resolve(file), counts, bytes))
    return { data: { file: resolve(file), bytes, counts } }
  })
}
