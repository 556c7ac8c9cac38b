import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { checkLocked, getLockFolder, listLocked } from '../installed/locked-releases.ts'
import { texts } from './commands.texts.ts'

export const outdatedCommand: Command = {
  name: 'outdated',
  summary: 'List the installed skills that have a newer release',
  usage: ['[NAME…]'],
  about: `Compares the lock file with the latest approved release of each skill, or of those named.`,
  options: {},
  notes: `Exits with 0 if all are the latest, and 1 otherwise.

  skill outdated
  skill outdated csv-to-json --json`,
  positionals: { min: 0, max: 50 },
  async run(context, names) {
    const { folder, lock } = await getLockFolder(context)
    const checked = await checkLocked(context, listLocked(lock, names))
    const skills = checked
      .filter(({ version, latest }) => latest !== version)
      .map(({ state: _state, deprecation: _deprecation, ...skill }) => skill)
    return {
      data: { folder, skills },
      exitCode: skills.length === 0 ? exitCodes.done : exitCodes.failed,
      print(terminal) {
        const { columns, none, upToDate, update } = texts.outdated
        if (skills.length === 0) {
          terminal.line(upToDate(checked.length))
          return
        }
        const rows = skills.map(({ name, version, latest }) => [name, version, latest ?? none])
        terminal.table(columns, rows)
        terminal.note(update)
      },
    }
  },
}
