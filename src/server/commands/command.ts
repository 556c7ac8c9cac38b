import { parseArgs } from 'node:util'
import { settingKeys } from '../../shared/settings.ts'
import { argumentProblem } from '../../shared/text.ts'
import { texts } from './commands.texts.ts'
import { UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Program } from './program.ts'

interface OptionSpec {
  type: 'string' | 'boolean'
  /** Placeholder for its value in the help, such as `NAME`. */
  value?: string
  help: string
  default?: string
}

type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** One command of `skilldock`: its parser, its help and its line in the overview are made from this. */
export interface Declaration<Specs extends OptionSpecs = OptionSpecs> {
  name: string
  /** One line in the overview. */
  summary: string
  /** What follows `skilldock NAME`, one entry per form. */
  usage: readonly string[]
  /** What the command does, in lines of at most 110 characters. */
  about: string
  options: Specs
  /** Sections below the options, such as examples. */
  notes?: string
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
}

/** A declaration with its code. */
export interface Command extends Declaration {
  /** Throws a UsageError if the arguments are invalid. */
  run(args: string[], program: Program): Promise<ExitCode>
}

export const declare = <const Specs extends OptionSpecs>(declaration: Declaration<Specs>) => declaration

/** `load` imports a command's code only when it is called, so that commands don't load each other's code. */
export function withCode<Declared extends Declaration>(
  declaration: Declared,
  load: () => Promise<(call: Call<Declared>) => Promise<ExitCode>>,
): Command {
  return {
    ...declaration,
    async run(args, program) {
      const call = parse(declaration, args)
      const execute = await load()
      return execute({ ...call, program })
    },
  }
}

function parse<Declared extends Declaration>(
  declaration: Declared,
  args: string[],
): Omit<Call<Declared>, 'program'> {
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
