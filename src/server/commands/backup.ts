import { resolve } from 'node:path'
import { countOf } from '../../shared/findings/check.ts'
import { prepareBackup } from '../backup/create-backup.ts'
import { inBytes } from '../backup/progress.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { Call } from './command.ts'
import type { backupCommand } from './declarations.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

/** `skilldock backup FILE`: writes a complete backup to one file, even while a server is running. */
export async function backup({ positionals: [file = ''] }: Call<typeof backupCommand>): Promise<ExitCode> {
  const line = createProgressLine()
  const task = prepareBackup(dataPaths(findDataFolder()), file, line.show)
  await interruptible(task.abandon, async () => {
    try {
      const { counts, size } = await task.run()
      line.clear()
      process.stdout.write(
        `${resolve(file)}: ${countOf(counts.releases, 'release')}, ${countOf(counts.packages, 'package')} and ` +
          `${countOf(counts.people, 'person', 'people')} in ${inBytes(size)}. ` +
          'Keep it secret: it contains the signing key.\n',
      )
    } finally {
      line.clear()
      task.abandon()
    }
  })
  return exitCodes.done
}
