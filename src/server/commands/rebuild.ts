import { dataPaths } from '../data-folder/data-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { prepareRebuild } from '../verify/rebuild-folder.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

/** `skilldock rebuild`: creates a lost or damaged database again from the signed records of releases. */
export async function rebuild(): Promise<ExitCode> {
  const paths = dataPaths(findDataFolder())
  const line = createProgressLine()
  const task = prepareRebuild(paths, {
    onProgress: line.show,
    onLost(what) {
      line.clear()
      process.stdout.write(`${texts.rebuild.lost(what)}\n`)
    },
  })
  await interruptible(task.abandon, async () => {
    try {
      const { states, aside } = await task.run()
      line.clear()
      const counts = [...states].map(([state, count]) => `${count} ${state}`)
      process.stdout.write(`${texts.rebuild.done(counts, paths.folder, aside)}\n`)
    } finally {
      line.clear()
      task.abandon()
    }
  })
  return exitCodes.done
}
