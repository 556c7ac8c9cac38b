import { builtInRegistry } from '../registry/built-in-registry.ts'
import type { Command } from '../command.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** The order in which commands stand in the help, in groups. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Use skills', ['search', 'info', 'install', 'run']],
  ['Make and publish a skill', ['init', 'check', 'publish', 'status', 'mine']],
  ['Sign in', ['login', 'logout']],
]

/** `skill --help` */
export function generalHelp(terminal: Terminal, commands: readonly Command[]): string {
  const bold = (text: string): string => terminal.style('bold', text)
  const listed = groups.flatMap(([title, names]) => [
    bold(title),
    ...names.flatMap((name) =>
      commands.filter((command) => command.name === name).map(({ summary }) => row(name, summary, 10)),
    ),
    '',
  ])
  return [
    'skill finds, installs, runs and publishes WebAssembly command modules of a Skilldock registry.',
    '',
    `${bold('Usage')}  skill COMMAND [WORDS] [--registry URL] [--json]`,
    '',
    ...listed,
    bold('Everywhere'),
    row(
      '--registry URL',
      builtInRegistry === null ? 'The registry' : `Another registry than ${builtInRegistry}`,
      16,
    ),
    row('--json', 'One JSON document on standard output, of a refusal too', 16),
    row('--help', 'skill COMMAND --help tells all about a command', 16),
    row('--version', 'The version of this program', 16),
    '',
    bold('Environment'),
    row('SKILL_REGISTRY', 'The registry, unless --registry names one', 16),
    row('SKILL_TOKEN', 'A token to use in place of a kept one, as in automation', 16),
    row('SKILL_TIMEOUT', 'Seconds of silence after which a registry is given up (30)', 16),
    row('NO_COLOR', 'No colours on a terminal either', 16),
    '',
    bold('Exit codes'),
    ...exitCodeHelp.map(([code, meaning]) => row(String(code), meaning, 5)),
  ].join('\n')
}

/** `skill NAME --help` */
export function commandHelp(terminal: Terminal, { name, usage, summary, help }: Command): string {
  return [
    summary,
    '',
    `${terminal.style('bold', 'Usage')}  skill ${name}${usage === '' ? '' : ` ${usage}`}`,
    '',
    help.trim(),
  ].join('\n')
}

const row = (head: string, text: string, width: number): string => `  ${head.padEnd(width)}  ${text}`
