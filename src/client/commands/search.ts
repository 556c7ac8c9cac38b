import { pageSize, releaseRoutes } from '../../shared/contracts/releases.ts'
import type { Command } from '../command.ts'
import { texts } from './commands.texts.ts'
import { readOffset } from '../read-offset.ts'
import { plainLine } from '../terminal/terminal.ts'

/** Lists approved releases (section 4.1). */
export const searchCommand: Command = {
  name: 'search',
  summary: 'Search skills by name, description, category or publisher',
  usage: ['[WORDS] [--offset N]'],
  about: `Lists up to ${pageSize} approved releases, newest first; a skill may have several. Without WORDS, every release matches.`,
  options: { offset: { type: 'string', value: 'N', help: 'skip the first N results' } },
  notes: `  skill search csv
  skill search --offset 50`,
  positionals: { min: 0, max: 20 },
  async run(context, positionals, options) {
    const offset = readOffset(options.text('offset'))
    const q = positionals.join(' ')
    const registry = context.registry()
    const { items } = await registry.call(releaseRoutes.listSkills, {
      query: { q, offset: String(offset) },
    })
    const isMore = items.length === pageSize
    return {
      data: {
        items: items.map(({ name, version, manifest, publisher, size, sha256, createdAt }) => ({
          name,
          version,
          description: manifest.description,
          category: manifest.category,
          publisher,
          size,
          sha256,
          createdAt,
        })),
        nextOffset: isMore ? offset + pageSize : null,
      },
      print(terminal) {
        if (items.length === 0) {
          terminal.line(texts.search.none(plainLine(q), offset))
          return
        }
        const rows = items.map(({ name, version, manifest, publisher }) => [
          name,
          version,
          plainLine(publisher),
          plainLine(manifest.description),
        ])
        terminal.table(texts.search.columns, rows)
        if (isMore) terminal.note(texts.search.more(offset + pageSize))
      },
    }
  },
}
