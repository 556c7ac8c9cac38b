import { settingKeys, settingDeclarations } from '../../shared/settings.ts'
import { defaultSettings } from '../settings/settings.ts'
import type { Declaration } from './command.ts'
import { exitCodeMeanings } from './exit-codes.ts'

const shownDefault = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? ` (default: ${value})` : ''

/** Environment variables with their descriptions and defaults. */
const variables: (readonly [string, string])[] = [
  ['SKILLDOCK_DATA', 'the data folder (default: ~/.local/share/skilldock)'],
  ...settingKeys.flatMap((key): [string, string][] => {
    const { variable, help } = settingDeclarations[key]
    return variable === null ? [] : [[variable, `${help}${shownDefault(defaultSettings[key])}`]]
  }),
  ['SKILLDOCK_READY_FILE', 'file to write once the registry and the local services accept requests'],
]

/** `skilldock --help` */
export function overview(commands: readonly Declaration[]): string {
  const listed = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['help', 'Show this page; "skilldock help COMMAND" shows the help of one command'] as const,
  ]
  return `Skilldock: a registry of free WASI command modules with manual review.

Usage: skilldock COMMAND [options]        from source: npm run -s skilldock -- COMMAND [options]
       skilldock --version

Commands
${rows(listed, 9)}

Settings come from the environment or from settings.json in the data folder:
${rows(variables, 35)}

Exit status
${rows(Object.entries(exitCodeMeanings), 2)}
`
}

/** `skilldock NAME --help` */
export function commandHelp({ name, usage, options, about, notes }: Declaration): string {
  const forms = usage.map((form) => `skilldock ${name} ${form}`.trim())
  const described = Object.entries(options).map(
    ([option, { value, help, default: standard }]) =>
      [
        value === undefined ? `--${option}` : `--${option} ${value}`,
        standard === undefined ? help : `${help} (default: ${standard})`,
      ] as const,
  )
  const width = Math.max(0, ...described.map(([option]) => option.length)) + 1
  const sections = [
    `Usage: ${forms.join('\n       ')}`,
    about.trim(),
    ...(described.length === 0 ? [] : [`Options\n${rows(described, width)}`]),
    ...(notes === undefined ? [] : [notes.trim()]),
  ]
  return `${sections.join('\n\n')}\n`
}

const rows = (entries: readonly (readonly [string, string])[], width: number): string =>
  entries.map(([head, text]) => `  ${head.padEnd(width)} ${text}`).join('\n')
