import { dataPaths } from '../data-folder/data-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { prepareRebuild } from '../verify/rebuild-folder.ts'
import type { Call, Facts } from './command.ts'
import { inStatuses, texts } from './commands.texts.ts'
import type { rebuildCommand } from './declarations.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

/** `skilldock rebuild`: creates a lost or damaged database again from the signed records of releases. */
export async function rebuild({ print }: Call<typeof rebuildCommand>): Promise<Facts> {
  const paths = dataPaths(findDataFolder())
  const line = createProgressLine()
  const lost: string[] = []
  const task = prepareRebuild(paths, {
    onProgress: line.show,
    onLost(what) {
      lost.push(what)
      line.clear()
      print(texts.rebuild.lost(what))
    },
  })
  return interruptible(task.abandon, async () => {
    try {
      const { states, aside } = await task.run()
      line.clear()
      print(texts.rebuild.done(inStatuses(states), paths.folder, aside))
      return { data: { folder: paths.folder, statuses: Object.fromEntries(states), aside, lost } }
    } finally {
      line.clear()
      task.abandon()
    }
  })
}
