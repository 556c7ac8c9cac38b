import { ClientError } from '../client-error.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { readInstalled, removeSkill } from '../installed/installed-skills.ts'
import { lockFileName, withLock, writeLock } from '../installed/lock-file.ts'
import { getLockFolder, listLocked } from '../installed/locked-releases.ts'
import type { LockedRelease } from '../installed/locked-releases.ts'
import { texts } from './commands.texts.ts'

export const removeCommand: Command = {
  name: 'remove',
  summary: 'Remove installed skills and their entries in the lock file',
  usage: ['NAME…'],
  about: `Removes the module and the manifest that skill install saved, and the entry in ${lockFileName}. Other files in
skills/NAME stay. Removes nothing if a module differs from the lock file.`,
  options: {},
  notes: `  skill remove csv-to-json`,
  positionals: { min: 1, max: 50 },
  async run(context, names) {
    const { folder } = await getLockFolder(context)
    const removed = await withLock(folder, context.signal, async (lock) => {
      const releases = listLocked(lock, names)
      for (const release of releases) await assertOwn(folder, release)
      const skills = { ...lock.skills }
      for (const { name } of releases) {
        // The files first: if this process ends in between, the command can be repeated.
        await removeSkill(folder, name)
        delete skills[name]
        writeLock(folder, { ...lock, skills })
      }
      return releases
    })
    return {
      data: { folder, skills: removed },
      print(terminal) {
        for (const { name, version } of removed) {
          terminal.outcome(true, texts.remove.done(name, version))
        }
      },
    }
  },
}

/** Throws if the module is not the one that was installed, and may be someone's work. */
async function assertOwn(folder: string, release: LockedRelease): Promise<void> {
  if ((await readInstalled(folder, release.name, release)) !== 'changed') return
  throw new ClientError(exitCodes.failed, texts.remove.changed(release.name), { code: 'MODULE_CHANGED' })
}
