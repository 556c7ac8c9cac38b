import { formatRows, optionRows, withDefault } from '../../shared/command-line/command-table.ts'
import type { OptionSpecs } from '../../shared/command-line/command-table.ts'
import { builtInRegistry } from '../registry/built-in-registry.ts'
import type { Command } from '../command.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Terminal } from './terminal.ts'
import { texts } from './terminal.texts.ts'

const { options: optionTexts } = texts.help

/** Options of every command. */
export const commonOptions: OptionSpecs = {
  registry: {
    type: 'string',
    value: 'URL',
    help:
      builtInRegistry === null ? optionTexts.registry : withDefault(optionTexts.registry, builtInRegistry),
  },
  json: { type: 'boolean', help: optionTexts.json },
  help: { type: 'boolean', short: 'h', help: optionTexts.help },
  version: { type: 'boolean', help: optionTexts.version },
}

export const exitCodeRows = exitCodeHelp.map(([code, meaning]) => [String(code), meaning] as const)

/** Groups of commands, in the order of the help. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  [texts.help.groups.use, ['search', 'info', 'install', 'run', 'mcp']],
  [texts.help.groups.installed, ['list', 'outdated', 'update', 'remove', 'verify', 'audit']],
  [texts.help.groups.create, ['init', 'check', 'publish', 'status', 'reply', 'mine', 'owner']],
  [texts.help.groups.signIn, ['login', 'logout', 'whoami']],
  [texts.help.groups.setUp, ['completion', 'man']],
]

/** `skill --help` */
export function generalHelp(terminal: Terminal, commands: readonly Command[]): string {
  const { environment } = texts.help
  const bold = (text: string): string => terminal.style('bold', text)
  const listed = groups.flatMap(([title, names]) => [
    bold(title),
    formatRows(
      names.flatMap((name) =>
        commands.filter((command) => command.name === name).map(({ summary }) => [name, summary] as const),
      ),
      11,
    ),
    '',
  ])
  return [
    texts.help.about,
    '',
    `${bold(texts.help.usage)}  ${texts.help.usageLine}`,
    '',
    ...listed,
    bold(optionTexts.title),
    formatRows(optionRows(commonOptions), 17),
    '',
    bold(environment.title),
    formatRows(environment.rows, 17),
    '',
    bold(texts.help.exitCodes),
    formatRows(exitCodeRows, 6),
  ].join('\n')
}

/** `skill NAME --help` */
export function commandHelp(
  terminal: Terminal,
  { name, usage, summary, about, options, notes }: Command,
): string {
  const rows = optionRows(options)
  const forms = usage.map((form) => `skill ${name} ${form}`.trim())
  return [
    summary,
    `${terminal.style('bold', texts.help.usage)}  ${forms.join('\n       ')}`,
    about,
    ...(rows.length === 0 ? [] : [formatRows(rows)]),
    ...(notes === undefined ? [] : [notes]),
  ].join('\n\n')
}
