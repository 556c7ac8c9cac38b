import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { lockFileName, withLock } from '../installed/lock-file.ts'
import { checkLocked, getLockFolder, listLocked } from '../installed/locked-releases.ts'
import { deprecationLine } from '../registry/deprecation.ts'
import { isOutdated } from './audit-releases.ts'
import { texts } from './commands.texts.ts'
import { install, withDeprecations } from './install.ts'

export const updateCommand: Command = {
  name: 'update',
  summary: 'Update installed skills to their latest approved release',
  usage: ['[NAME…]'],
  about: `Updates all skills in ${lockFileName}, or those named, from the registries that they were installed from. Each
download is verified against the reviewed SHA-256 before the module and the lock file are changed.`,
  options: {},
  notes: `Exits with 1 if a skill has no approved release. The others are still updated.

  skill update
  skill update csv-to-json`,
  positionals: { min: 0, max: 50 },
  async run(context, names) {
    const { folder } = await getLockFolder(context)
    const skills = await withLock(folder, context.signal, async (lock) => {
      const checked = await checkLocked(context, listLocked(lock, names))
      const requested = checked.filter(isOutdated).map(({ name, registry }) => ({
        name,
        version: null,
        registry: context.registryAt(registry),
      }))
      const installed = await withDeprecations(context, await install({ context, folder, lock }, requested))
      return checked.map(({ latest, ...former }) => {
        const updated = installed.find(({ name }) => name === former.name)
        return {
          ...former,
          ...updated,
          from: former.version,
          state: latest === null ? 'unavailable' : updated === undefined ? 'unchanged' : 'updated',
        } as const
      })
    })
    const isComplete = skills.every(({ state }) => state !== 'unavailable')
    return {
      data: { folder, skills },
      exitCode: isComplete ? exitCodes.done : exitCodes.failed,
      print(terminal) {
        for (const { name, from, version, state, deprecation } of skills) {
          terminal.outcome(state !== 'unavailable', texts.update[state](name, from, version))
          if (deprecation !== null) terminal.line(`  ${deprecationLine(terminal, deprecation)}`)
        }
        if (skills.length === 0) terminal.line(texts.install.empty)
      },
    }
  },
}
