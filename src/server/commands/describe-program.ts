import { isShell, printCompletion, shells } from '../../shared/command-line/completion.ts'
import type { CommandEntry, ProgramTable } from '../../shared/command-line/command-table.ts'
import { printManual } from '../../shared/command-line/manual.ts'
import { programVersion } from '../operations/version.ts'
import type { Call, Outcome } from './command.ts'
import { texts } from './commands.texts.ts'
import type { completionCommand, manCommand } from './declarations.ts'
import { UsageError } from './exit-codes.ts'
import { exitCodeRows, variables } from './help.ts'

const describe = (commands: readonly CommandEntry[]): ProgramTable => ({
  name: 'skilldock',
  version: programVersion,
  summary: texts.help.summary,
  commands,
  options: {
    help: { type: 'boolean', short: 'h', help: texts.help.showHelp },
    version: { type: 'boolean', help: texts.help.showVersion },
  },
  environment: variables,
  exitCodes: exitCodeRows,
})

/** `skilldock completion SHELL` */
export const completionOf =
  (commands: readonly CommandEntry[]) =>
  async ({ positionals: [shell = ''], print }: Call<typeof completionCommand>): Promise<Outcome> => {
    if (!isShell(shell)) throw new UsageError(texts.usage.unknownShell(shell, shells))
    print(printCompletion(describe(commands), shell).trimEnd())
    return {}
  }

/** `skilldock man` */
export const manualOf =
  (commands: readonly CommandEntry[]) =>
  async ({ print }: Call<typeof manCommand>): Promise<Outcome> => {
    print(printManual(describe(commands)).trimEnd())
    return {}
  }
