import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { prepareBackup } from '../backup/create-backup.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { Call } from './command.ts'
import { texts } from './commands.texts.ts'
import type { backupCommand } from './declarations.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

/** `skilldock backup FILE`: writes a complete backup to one file, even while a server is running. */
export async function backup({ positionals: [file = ''] }: Call<typeof backupCommand>): Promise<ExitCode> {
  // The requests of a running server come first.
  setPriority(constants.priority.PRIORITY_LOW)
  const line = createProgressLine()
  const task = prepareBackup(dataPaths(findDataFolder()), file, line.show)
  await interruptible(task.abandon, async () => {
    try {
      const { counts, size } = await task.run()
      line.clear()
      process.stdout.write(`${texts.backup.done(resolve(file), counts, size)}\n`)
    } finally {
      line.clear()
      task.abandon()
    }
  })
  return exitCodes.done
}
