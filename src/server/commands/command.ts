import { parseArgs } from 'node:util'
import type { Styled } from '../../shared/colors.ts'
import type { CommandEntry, OptionSpecs } from '../../shared/command-line/command-table.ts'
import { settingKeys } from '../../shared/settings.ts'
import { argumentProblem } from '../../shared/text.ts'
import { texts } from './commands.texts.ts'
import { UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Program } from './program.ts'

/** One command of `skilldock`. */
interface Declaration extends CommandEntry {
  /** Whether it prints facts. With `--json`, it prints them, or its error, as one JSON document. */
  printsFacts?: true
  /** Maximum number of positional arguments (default: 0). */
  maxPositionals?: number
  /** The error if there is no positional argument; without it, all of them are optional. */
  missingPositional?: string
}

/** A parsed command line. */
export interface Call<Declared extends Declaration> {
  positionals: readonly string[]
  options: ReturnType<typeof parseArgs<{ options: Declared['options'] }>>['values']
  program: Program
  /** Prints a line for people. Does nothing with `--json`. */
  print(line: string): void
  /** Shows progress on a terminal's standard error, until a line is printed or the command ends. */
  showProgress(text: string): void
  /** Styles text for standard output. */
  style: Styled
}

/** How a command ended. */
export interface Outcome {
  /** Defaults to 0. */
  exitCode?: ExitCode
}

export interface Facts extends Outcome {
  /** The document printed with `--json`. */
  data: unknown
}

type OutcomeOf<Declared extends Declaration> = Declared extends { printsFacts: true } ? Facts : Outcome

/** A declaration with its code. */
export interface Command extends Declaration {
  /** Throws a UsageError if the arguments are invalid. */
  run(
    args: string[],
    context: Pick<Call<Declaration>, 'program' | 'print' | 'showProgress' | 'style'>,
  ): Promise<Outcome | Facts>
}

export const declare = <const Declared extends Declaration>(declaration: Declared) => declaration

const jsonOption = { json: { type: 'boolean', help: texts.help.json } } as const

/** `load` imports a command's code only when it is called, so that commands don't load each other's code. */
export function withCode<Declared extends Declaration>(
  declaration: Declared,
  load: () => Promise<(call: Call<Declared>) => Promise<OutcomeOf<Declared>>>,
): Command {
  const { options, printsFacts } = declaration
  const command = { ...declaration, options: printsFacts ? { ...options, ...jsonOption } : options }
  return {
    ...command,
    async run(args, context) {
      const call = parse(command, args)
      const execute = await load()
      return execute({ ...call, ...context })
    },
  }
}

function parse<Declared extends Declaration>(
  declaration: Declared,
  args: string[],
): Pick<Call<Declared>, 'positionals' | 'options'> {
  const { options, maxPositionals = 0, missingPositional } = declaration
  const { positionals, values } = parseOptions(args, options)
  const [extra] = positionals.slice(maxPositionals)
  if (extra !== undefined) throw new UsageError(texts.usage.unexpectedArgument(extra))
  if (positionals.length === 0 && missingPositional !== undefined) throw new UsageError(missingPositional)
  return { positionals, options: values as Call<Declared>['options'] }
}

function parseOptions(args: string[], options: OptionSpecs) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const problem = argumentProblem(error)
    const setting = settingKeys.find((key) => problem.includes(`'--${withDashes(key)}'`))
    throw new UsageError(
      setting === undefined ? problem : texts.usage.isSetting(withDashes(setting), setting),
    )
  }
}

/** `publicUrl` as an option would be written: `public-url`. */
function withDashes(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
