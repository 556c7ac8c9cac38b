import { builtInRegistry } from '../registry/built-in-registry.ts'
import type { Command } from '../command.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Groups of commands, in the order of the help. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Use skills', ['search', 'info', 'install', 'run']],
  ['Create and publish a skill', ['init', 'check', 'publish', 'status', 'mine']],
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
    'Find, install, run and publish WebAssembly skills from a Skilldock registry.',
    '',
    `${bold('Usage')}  skill COMMAND [ARGUMENTS] [--registry URL] [--json]`,
    '',
    ...listed,
    bold('Global options'),
    row(
      '--registry URL',
      builtInRegistry === null ? 'The registry to use' : `The registry to use (default: ${builtInRegistry})`,
      16,
    ),
    row('--json', 'Print one JSON document to standard output, even for errors', 16),
    row('--help', 'Show help for a command: skill COMMAND --help', 16),
    row('--version', 'Show the version of skill', 16),
    '',
    bold('Environment'),
    row('SKILL_REGISTRY', 'The registry to use without --registry', 16),
    row('SKILL_TOKEN', 'The token to use instead of a saved one, as in CI', 16),
    row('SKILL_TIMEOUT', 'Seconds to wait for a registry that sends nothing (default: 30)', 16),
    row('NO_COLOR', 'Disable colors', 16),
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
