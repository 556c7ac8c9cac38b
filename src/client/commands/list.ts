import type { Command } from '../command.ts'
import { readInstalled } from '../installed/installed-skills.ts'
import { getLockFolder, mapLocked } from '../installed/locked-releases.ts'
import { texts } from './commands.texts.ts'

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
    const skills = await mapLocked(lock, [], async (locked) => {
      const module = await readInstalled(folder, locked.name, locked)
      return { ...locked, state: typeof module === 'string' ? module : 'installed' }
    })
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
