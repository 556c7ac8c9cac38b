import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { prepareBackup } from '../backup/create-backup.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { backupCommand } from './declarations.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

/** `skilldock backup FILE`: writes a complete backup to one file, even while a server is running. */
export async function backup({
  positionals: [file = ''],
  print,
}: Call<typeof backupCommand>): Promise<Facts> {
  // The requests of a running server come first.
  setPriority(constants.priority.PRIORITY_LOW)
  const line = createProgressLine()
  const task = prepareBackup(dataPaths(findDataFolder()), file, line.show)
  return interruptible(task.abandon, async () => {
    try {
      const { counts, size: bytes } = await task.run()
      line.clear()
      print(texts.backup.done(resolve(file), counts, bytes))
      return { data: { file: resolve(file), bytes, counts } }
    } finally {
      line.clear()
      task.abandon()
    }
  })
}
