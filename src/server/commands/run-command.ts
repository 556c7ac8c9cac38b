import { DomainError } from '../../shared/errors.ts'
import { programVersion } from '../operations/version.ts'
import { withCode } from './command.ts'
import type { Command } from './command.ts'
import { texts } from './commands.texts.ts'
import * as declarations from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { commandHelp, overview } from './help.ts'
import type { Program } from './program.ts'

/** All commands, in the order of the overview. */
const commands: readonly Command[] = [
  withCode(declarations.startCommand, async () => (await import('./start.ts')).start),
  withCode(declarations.serveCommand, async () => (await import('./serve.ts')).serve),
  withCode(declarations.tokenCommand, async () => (await import('./token.ts')).token),
  withCode(declarations.peopleCommand, async () => (await import('./people.ts')).people),
  withCode(declarations.deskCommand, async () => (await import('./desk.ts')).desk),
  withCode(declarations.demoCommand, async () => (await import('./demo/demo.ts')).demo),
  withCode(declarations.backupCommand, async () => (await import('./backup.ts')).backup),
  withCode(declarations.restoreCommand, async () => (await import('./restore.ts')).restore),
  withCode(declarations.verifyCommand, async () => (await import('./verify.ts')).verify),
  withCode(declarations.rebuildCommand, async () => (await import('./rebuild.ts')).rebuild),
  withCode(declarations.doctorCommand, async () => (await import('./doctor.ts')).doctor),
]

/** Runs one command line (the arguments after `skilldock`) and returns its exit code. */
export async function runCommand(args: string[], program: Program): Promise<ExitCode> {
  const [name, ...rest] = args
  try {
    if (name === undefined) return print(overview(commands), exitCodes.usage)
    if (isHelp(name) || name === 'help') {
      return print(rest[0] === undefined ? overview(commands) : commandHelp(findCommand(rest[0])))
    }
    if (name === '--version') return print(programVersion)
    const command = findCommand(name)
    return rest.some(isHelp) ? print(commandHelp(command)) : await command.run(rest, program)
  } catch (error) {
    return complain(error, name)
  }
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h'

function print(text: string, exitCode: ExitCode = exitCodes.done): ExitCode {
  process.stdout.write(`${text}\n`)
  return exitCode
}

function findCommand(name: string): Command {
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return command
  const names = commands.map((one) => one.name)
  throw new UnknownCommandError(texts.usage.unknownCommand(name, names))
}

class UnknownCommandError extends UsageError {}

/** Errors that need no stack trace, by name, since most of their modules are loaded only by some commands. */
const exitCodeByError: Readonly<Record<string, ExitCode>> = {
  ConfigError: exitCodes.usage,
  CertificateError: exitCodes.usage,
  FolderInUseError: exitCodes.inUse,
  PortError: exitCodes.inUse,
  NewerDatabaseError: exitCodes.failed,
  DamagedKeyError: exitCodes.failed,
  Refusal: exitCodes.failed,
}

function complain(error: unknown, command = ''): ExitCode {
  if (!(error instanceof Error)) {
    process.stderr.write(`${String(error)}\n`)
    return exitCodes.failed
  }
  process.stderr.write(`${error.message}\n`)
  if (error instanceof UsageError) {
    const about = error instanceof UnknownCommandError ? null : command
    process.stderr.write(`${texts.usage.seeHelp(about)}\n`)
    return exitCodes.usage
  }
  const exitCode = exitCodeByError[error.name]
  // System errors have a code and need no stack trace either.
  if (exitCode === undefined && !(error instanceof DomainError) && !('code' in error)) {
    process.stderr.write(`${error.stack ?? ''}\n`)
  }
  return exitCode ?? exitCodes.failed
}
