import { isShell, printCompletion, shells } from '../../shared/command-line/completion.ts'
import type { ProgramTable } from '../../shared/command-line/command-table.ts'
import { printManual } from '../../shared/command-line/manual.ts'
import { usageError } from '../client-error.ts'
import type { Command } from '../command.ts'
import { commonOptions, exitCodeRows } from '../terminal/help.ts'
import { texts as terminalTexts } from '../terminal/terminal.texts.ts'
import { clientVersion } from '../version.ts'
import { texts } from './commands.texts.ts'

type LoadCommands = () => Promise<readonly Command[]>

const describe = async (loadCommands: LoadCommands): Promise<ProgramTable> => ({
  name: 'skill',
  version: clientVersion,
  summary: terminalTexts.help.manual,
  commands: await loadCommands(),
  options: commonOptions,
  environment: terminalTexts.help.environment.rows,
  exitCodes: exitCodeRows,
})

export const createCompletionCommand = (loadCommands: LoadCommands): Command => ({
  name: 'completion',
  summary: 'Print a script with which a shell completes commands, options and files',
  usage: ['bash|zsh|fish'],
  about:
    'Prints a script for bash (4 or later), zsh or fish. It completes commands, options, their values and files.',
  options: {},
  notes: `  echo 'source <(skill completion bash)' >> ~/.bashrc
  echo 'source <(skill completion zsh)' >> ~/.zshrc        after the line with compinit
  skill completion fish > ~/.config/fish/completions/skill.fish`,
  arguments: [shells],
  positionals: { min: 1, max: 1 },
  async run(_context, [shell = '']) {
    if (!isShell(shell)) throw usageError(texts.completion.unknownShell(shell, shells))
    const script = printCompletion(await describe(loadCommands), shell)
    return { data: { shell, script }, print: (terminal) => terminal.line(script.trimEnd()) }
  },
})

export const createManCommand = (loadCommands: LoadCommands): Command => ({
  name: 'man',
  summary: 'Print the manual page skill(1)',
  usage: [''],
  about: 'Prints the manual page in the format of man, for packages and for reading.',
  options: {},
  notes: `  skill man | man -l -
  skill man > ~/.local/share/man/man1/skill.1`,
  async run() {
    const page = printManual(await describe(loadCommands))
    return { data: { page }, print: (terminal) => terminal.line(page.trimEnd()) }
  },
})
