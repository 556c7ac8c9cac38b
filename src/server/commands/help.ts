import { settingKeys, settingDeclarations } from '../../shared/settings.ts'
import { defaultSettings } from '../settings/settings.ts'
import type { Declaration } from './command.ts'
import { texts } from './commands.texts.ts'

const withDefault = (help: string, value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? texts.help.withDefault(help, value) : help

/** Environment variables with their descriptions and defaults. */
const variables: (readonly [string, string])[] = [
  ['SKILLDOCK_DATA', texts.help.dataFolder],
  ...settingKeys.flatMap((key): [string, string][] => {
    const { variable, help } = settingDeclarations[key]
    return variable === null ? [] : [[variable, withDefault(help, defaultSettings[key])]]
  }),
  ['SKILLDOCK_MAIL_PASSWORD', texts.help.mailPassword],
  ['SKILLDOCK_READY_FILE', texts.help.readyFile],
]

/** `skilldock --help` */
export function overview(commands: readonly Declaration[]): string {
  const listed = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['help', texts.help.command] as const,
  ]
  const statuses = Object.entries(texts.help.exitCodes)
  return texts.help.overview(rows(listed, 9), rows(variables, 35), rows(statuses, 2))
}

/** `skilldock NAME --help` */
export function commandHelp({ name, usage, options, about, notes }: Declaration): string {
  const forms = usage.map((form) => `skilldock ${name} ${form}`.trim())
  const described = Object.entries(options).map(
    ([option, { value, help, default: standard }]) =>
      [value === undefined ? `--${option}` : `--${option} ${value}`, withDefault(help, standard)] as const,
  )
  const width = Math.max(0, ...described.map(([option]) => option.length)) + 1
  const sections = [
    texts.help.usage(forms),
    about.trim(),
    ...(described.length === 0 ? [] : [texts.help.options(rows(described, width))]),
    ...(notes === undefined ? [] : [notes.trim()]),
  ]
  return sections.join('\n\n')
}

const rows = (entries: readonly (readonly [string, string])[], width: number): string =>
  entries.map(([head, text]) => `  ${head.padEnd(width)} ${text}`).join('\n')
