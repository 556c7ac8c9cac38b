import { pageSize } from '../../shared/contracts/releases.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { inDigits } from '../../shared/findings/check.ts'
import type { Command } from '../command.ts'
import { stateWords } from '../registry/own-releases.ts'
import { readOffset } from '../read-offset.ts'
import { plainLine, table } from '../terminal/terminal.ts'

/** Lists what the signed-in person has published, in any state. */
export const mineCommand: Command = {
  name: 'mine',
  summary: 'List what you have published, with state and place in line',
  usage: '[--offset N]',
  help: `Newest submissions stand first, ${pageSize} of them. All about one of them: skill status NAME@VERSION

  --offset N   Begin after so many

  skill mine
  skill mine --json`,
  options: { offset: { type: 'string' } },
  words: { min: 0, max: 0 },
  async run(context, _words, options) {
    const offset = readOffset(options.text('offset'))
    const registry = context.registry()
    const { items, total } = await registry.call(skilldockRoutes.listOwnSubmissions, { query: { offset } })
    const next = offset + items.length
    const isMore = items.length > 0 && next < total
    return {
      data: { items, total, nextOffset: isMore ? next : null },
      print(terminal) {
        if (items.length === 0) {
          terminal.line(
            total === 0
              ? 'You have published nothing here yet. Begin with: skill init'
              : `You have published ${inDigits(total)} releases, and none stands behind ${offset}.`,
          )
          return
        }
        const rows = items.map((release) => [
          plainLine(release.name),
          plainLine(release.version),
          stateWords(release),
          release.createdAt.slice(0, 10),
          plainLine(release.reviewReason ?? ''),
        ])
        for (const line of table(terminal, ['NAME', 'VERSION', 'STATE', 'SUBMITTED', 'NOTE'], rows)) {
          terminal.line(line.trimEnd())
        }
        if (isMore) terminal.line(terminal.style('dim', `The next ones: --offset ${next}`))
      },
    }
  },
}
