import type { Command } from '../command.ts'
import { readInstalled } from '../installed/installed.ts'
import type { LockedRelease } from '../installed/locked-releases.ts'
import { getLockFolder, listLocked } from '../installed/locked-releases.ts'
import { texts } from './commands.texts.ts'

/** Lists the installed skills, without asking a registry. */
export const listCommand: Command = {
  name: 'list',
  summary: 'List the installed skills, and whether their modules match the lock file',
  usage: [''],
  about: `Asks no registry. To compare with the registry, run: skill audit`,
  options: {},
  notes: `  skill list
  skill list --json`,
  async run(context) {
    const { folder, lock } = await getLockFolder(context)
    const skills: (LockedRelease & { state: 'installed' | 'missing' | 'changed' })[] = []
    for (const locked of listLocked(lock, [])) {
      // One module in memory at a time.
      // oxlint-disable-next-line no-await-in-loop
      const module = await readInstalled(folder, locked.name, locked)
      skills.push({ ...locked, state: typeof module === 'string' ? module : 'installed' })
    }
    return {
      data: { folder, skills },
      print(terminal) {
        const rows = skills.map(({ name, version, state, registry }) => [name, version, state, registry])
        if (rows.length === 0) terminal.line(texts.install.empty)
        else terminal.table(texts.list.columns, rows)
      },
    }
  },
}
