import { builtInRegistry } from '../registry/built-in-registry.ts'
import type { Command } from '../command.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Terminal } from './terminal.ts'
import { texts } from './terminal.texts.ts'

/** Groups of commands, in the order of the help. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  [texts.help.groups.use, ['search', 'info', 'install', 'run']],
  [texts.help.groups.installed, ['list', 'outdated', 'update', 'remove', 'audit']],
  [texts.help.groups.create, ['init', 'check', 'publish', 'status', 'reply', 'mine', 'owner']],
  [texts.help.groups.signIn, ['login', 'logout', 'whoami']],
]

/** `skill --help` */
export function generalHelp(terminal: Terminal, commands: readonly Command[]): string {
  const { options, environment } = texts.help
  const bold = (text: string): string => terminal.style('bold', text)
  const listed = groups.flatMap(([title, names]) => [
    bold(title),
    ...names.flatMap((name) =>
      commands.filter((command) => command.name === name).map(({ summary }) => row(name, summary, 10)),
    ),
    '',
  ])
  return [
    texts.help.about,
    '',
    `${bold(texts.help.usage)}  ${texts.help.usageLine}`,
    '',
    ...listed,
    bold(options.title),
    ...options.rows(builtInRegistry).map(([head, text]) => row(head, text, 16)),
    '',
    bold(environment.title),
    ...environment.rows.map(([head, text]) => row(head, text, 16)),
    '',
    bold(texts.help.exitCodes),
    ...exitCodeHelp.map(([code, meaning]) => row(String(code), meaning, 5)),
  ].join('\n')
}

/** `skill NAME --help` */
export function commandHelp(terminal: Terminal, { name, usage, summary, help }: Command): string {
  return [
    summary,
    '',
    `${terminal.style('bold', texts.help.usage)}  skill ${name}${usage === '' ? '' : ` ${usage}`}`,
    '',
    help.trim(),
  ].join('\n')
}

const row = (head: string, text: string, width: number): string => `  ${head.padEnd(width)}  ${text}`
