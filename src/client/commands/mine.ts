import { pageSize } from '../../shared/contracts/releases.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import type { Command } from '../command.ts'
import { texts } from './commands.texts.ts'
import { statusText, submittedText } from '../registry/own-releases.ts'
import { readOffset } from '../read-offset.ts'
import { plainLine } from '../terminal/terminal.ts'

/** Lists the releases of the signed-in person, whatever their status. */
export const mineCommand: Command = {
  name: 'mine',
  summary: 'List your releases with their status and position in the queue',
  usage: ['[--offset N]'],
  about: `Lists up to ${pageSize} of your releases and those of co-owners, newest first. For details of one, run: skill status NAME@VERSION`,
  options: { offset: { type: 'string', value: 'N', help: 'skip the first N releases' } },
  notes: `  skill mine
  skill mine --json`,
  async run(context, _positionals, options) {
    const offset = readOffset(options.text('offset'))
    const registry = context.registry()
    const { items, total } = await registry.call(skilldockRoutes.listOwnSubmissions, { query: { offset } })
    const next = offset + items.length
    const isMore = items.length > 0 && next < total
    return {
      data: { items, total, nextOffset: isMore ? next : null },
      print(terminal) {
        if (items.length === 0) {
          terminal.line(total === 0 ? texts.mine.none : texts.mine.pastEnd(offset, total))
          return
        }
        const rows = items.map((release) => [
          plainLine(release.name),
          plainLine(release.version),
          statusText(release),
          submittedText(release.createdAt.slice(0, 10), release.submittedBy),
          plainLine(release.reviewReason ?? ''),
        ])
        terminal.table(texts.mine.columns, rows)
        if (isMore) terminal.note(texts.mine.more(next))
      },
    }
  },
}
