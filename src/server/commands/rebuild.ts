import { dataPaths } from '../data-folder/data-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { prepareRebuild } from '../verify/rebuild-folder.ts'
import type { Call, Facts } from './command.ts'
import { inStatuses, texts } from './commands.texts.ts'
import type { rebuildCommand } from './declarations.ts'
import { interruptible } from './interruptible.ts'

/** `skilldock rebuild`: creates a lost or damaged database again from the signed records of releases. */
export async function rebuild({ print, showProgress }: Call<typeof rebuildCommand>): Promise<Facts> {
  const paths = dataPaths(findDataFolder())
  const lost: string[] = []
  const task = prepareRebuild(paths, {
    onProgress: showProgress,
    onLost(what) {
      lost.push(what)
      print(texts.rebuild.lost(what))
    },
  })
  return interruptible(task.abandon, async () => {
    const { states, aside } = await task.run()
    print(texts.rebuild.done(inStatuses(states), paths.folder, aside))
    return { data: { folder: paths.folder, statuses: Object.fromEntries(states), aside, lost } }
  })
}
