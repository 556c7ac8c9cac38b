import { settingKeys, settingDeclarations } from '../../shared/settings.ts'
import { defaultSettings } from '../settings/settings.ts'
import type { CommandEntry, Rows } from '../../shared/command-line/command-table.ts'
import { formatRows, optionRows, withDefault } from '../../shared/command-line/command-table.ts'
import { texts } from './commands.texts.ts'

/** Environment variables with their descriptions and defaults. */
export const variables: Rows = [
  ['SKILLDOCK_DATA', texts.help.dataFolder],
  ...settingKeys.flatMap((key): [string, string][] => {
    const { variable, help } = settingDeclarations[key]
    const standard: unknown = defaultSettings[key]
    const isShown = typeof standard === 'string' || typeof standard === 'number'
    return variable === null ? [] : [[variable, isShown ? withDefault(help, standard) : help]]
  }),
  ['SKILLDOCK_MAIL_PASSWORD', texts.help.mailPassword],
  ['SKILLDOCK_READY_FILE', texts.help.readyFile],
  ['SKILLDOCK_WORKERS', texts.help.workers],
  ['SKILLDOCK_STORAGE', texts.help.storage],
  ['SKILLDOCK_DURABILITY', texts.help.durability],
  ['SKILLDOCK_LITESTREAM', texts.help.litestream],
  ['FORCE_COLOR, NO_COLOR', texts.help.colors],
]

export const exitCodeRows: Rows = Object.entries(texts.help.exitCodes)

/** `skilldock --help` */
export function overview(commands: readonly CommandEntry[]): string {
  const listed = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['help', texts.help.command] as const,
  ]
  return texts.help.overview(formatRows(listed, 11), formatRows(variables, 35), formatRows(exitCodeRows, 2))
}

/** `skilldock NAME --help` */
export function commandHelp({ name, usage, options, about, notes }: CommandEntry): string {
  const rows = optionRows(options)
  const sections = [
    texts.help.usage(usage.map((form) => `skilldock ${name} ${form}`.trim())),
    about.trim(),
    ...(rows.length === 0 ? [] : [texts.help.options(formatRows(rows))]),
    ...(notes === undefined ? [] : [notes.trim()]),
  ]
  return sections.join('\n\n')
}
