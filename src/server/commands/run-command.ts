import { colorMode, styleFor } from '../../shared/colors.ts'
import { aboutFile } from '../../files/about-file.ts'
import { codeOf, DomainError, messageOf } from '../../shared/errors.ts'
import { fileProblem } from '../../shared/file-problems.ts'
import { programVersion } from '../operations/version.ts'
import { ownEnvironment } from '../settings/config.ts'
import { withCode } from './command.ts'
import type { Command } from './command.ts'
import { texts } from './commands.texts.ts'
import * as declarations from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { commandHelp, overview } from './help.ts'
import type { Program } from './program.ts'
import { createProgressLine } from './progress-line.ts'

/** All commands, in the order of the overview. */
export const commands: readonly Command[] = [
  withCode(declarations.startCommand, async () => (await import('./start.ts')).start),
  withCode(declarations.serveCommand, async () => (await import('./serve.ts')).serve),
  withCode(declarations.tokenCommand, async () => (await import('./token.ts')).token),
  withCode(declarations.peopleCommand, async () => (await import('./people.ts')).people),
  withCode(declarations.deskCommand, async () => (await import('./desk.ts')).desk),
  withCode(declarations.demoCommand, async () => (await import('./demo/demo.ts')).demo),
  withCode(declarations.backupCommand, async () => (await import('./backup.ts')).backup),
  withCode(declarations.restoreCommand, async () => (await import('./restore.ts')).restore),
  withCode(declarations.verifyCommand, async () => (await import('./verify.ts')).verify),
  withCode(declarations.mirrorCommand, async () => (await import('./mirror.ts')).mirror),
  withCode(declarations.rebuildCommand, async () => (await import('./rebuild.ts')).rebuild),
  withCode(declarations.storageCommand, async () => (await import('./storage.ts')).storage),
  withCode(declarations.promoteCommand, async () => (await import('./restore.ts')).promote),
  withCode(declarations.doctorCommand, async () => (await import('./doctor.ts')).doctor),
  withCode(declarations.completionCommand, async () => {
    const { completionOf } = await import('./describe-program.ts')
    return completionOf(commands)
  }),
  withCode(declarations.manCommand, async () => {
    const { manualOf } = await import('./describe-program.ts')
    return manualOf(commands)
  }),
]

/**
 * Runs the command line of this process. If a reader closes its output early, as `head` does, that changes nothing; if
 * standard output could not be written otherwise, as on a full disk, the command has failed.
 */
export async function runProcess(args: string[], program: Program): Promise<ExitCode> {
  let lost: unknown = null
  process.stdout.on('error', (error) => {
    if (codeOf(error) !== 'EPIPE') lost = aboutFile(error, texts.usage.standardOutput)
  })
  process.stderr.on('error', () => {})
  const exitCode = await runCommand(args, program)
  // The error of the last write is reported by then.
  await new Promise((resolve) => process.stdout.write('', resolve))
  return lost === null ? exitCode : complain(lost)
}

/** Runs one command line (the arguments after `skilldock`) and returns its exit code. */
export async function runCommand(args: string[], program: Program): Promise<ExitCode> {
  const [name, ...rest] = args
  const isJson = args.includes('--json')
  try {
    if (name === undefined) return print(overview(commands), exitCodes.usage)
    if (isHelp(name) || name === 'help') {
      const [about] = rest.filter((arg) => !isHelp(arg))
      return print(
        about === undefined || about === 'help' ? overview(commands) : commandHelp(findCommand(about)),
      )
    }
    if (name === '--version') return printVersion(isJson)
    const command = findCommand(name)
    if (rest.some(isHelp)) return print(commandHelp(command))
    if (rest.includes('--version')) return printVersion(isJson)
    const hasJson = command.printsFacts === true && isJson
    const line = createProgressLine()
    const outcome = await command
      .run(rest, {
        program,
        print(text) {
          line.clear()
          if (!hasJson) print(text)
        },
        showProgress: line.show,
        style: styleFor(colorMode(ownEnvironment()), process.stdout.isTTY),
      })
      .finally(line.clear)
    if (hasJson && 'data' in outcome) printJson(outcome.data)
    return outcome.exitCode ?? exitCodes.done
  } catch (error) {
    return complain(error, name, isJson)
  }
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h'

function print(text: string, exitCode: ExitCode = exitCodes.done): ExitCode {
  process.stdout.write(`${text}\n`)
  return exitCode
}

const printJson = (data: unknown): ExitCode => print(JSON.stringify(data, null, 2))

const printVersion = (isJson: boolean): ExitCode =>
  isJson ? printJson({ version: programVersion }) : print(programVersion)

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
  UsageError: exitCodes.usage,
  NoServerError: exitCodes.noServer,
  FolderInUseError: exitCodes.inUse,
  PortError: exitCodes.inUse,
  NewerDatabaseError: exitCodes.failed,
  DamagedKeyError: exitCodes.failed,
  Refusal: exitCodes.failed,
}

/** Prints why a command failed: to standard error, or as a document. */
function complain(error: unknown, command = '', isJson = false): ExitCode {
  const exitCode = (error instanceof Error ? exitCodeByError[error.name] : undefined) ?? exitCodes.failed
  const message = describe(error)
  if (isJson) {
    printJson({ error: { message, exitCode } })
    return exitCode
  }
  process.stderr.write(`${message}\n`)
  if (error instanceof UsageError) {
    const about = error instanceof UnknownCommandError ? null : command
    process.stderr.write(`${texts.usage.seeHelp(about)}\n`)
  } else if (error instanceof Error && isUnexpected(error)) process.stderr.write(`${error.stack ?? ''}\n`)
  return exitCode
}

function describe(error: unknown): string {
  const message = fileProblem(error) ?? messageOf(error)
  return codeOf(error)?.startsWith('SQLITE_') === true ? texts.usage.noDatabase(message) : message
}

/** System errors have a code and need no stack trace. */
const isUnexpected = (error: Error): boolean =>
  !(error.name in exitCodeByError) && !(error instanceof DomainError) && !('code' in error)
