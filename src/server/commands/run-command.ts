import { DomainError } from '../../shared/errors.ts'
import { ConfigError } from '../settings/config.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { programVersion } from '../operations/version.ts'
import { help } from './help.ts'
import type { CommandName } from './help.ts'
import type { Program } from './program.ts'

type Command = (words: string[], program: Program) => Promise<ExitCode>

/** Each command is loaded when it is named, so that none pays for the others. */
const commands: Record<CommandName, () => Promise<Command>> = {
  start: async () => (await import('./start.ts')).start,
  serve: async () => (await import('./serve.ts')).serve,
  token: async () => (await import('./token.ts')).token,
  people: async () => (await import('./people.ts')).people,
  desk: async () => (await import('./desk.ts')).desk,
  demo: async () => (await import('./demo.ts')).demo,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  verify: async () => (await import('./verify.ts')).verify,
}

/** Runs one command line, the words after `skilldock`, and gives its exit status. */
export async function runCommand(words: string[], program: Program): Promise<ExitCode> {
  const [name, ...rest] = words
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const [about] = rest
    if (about !== undefined && !isCommand(about)) return complain(unknownCommand(about))
    process.stdout.write(help(about))
    return name === undefined ? exitCodes.usage : exitCodes.done
  }
  if (name === '--version') {
    process.stdout.write(`${programVersion}\n`)
    return exitCodes.done
  }
  if (!isCommand(name)) return complain(unknownCommand(name))
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(help(name))
    return exitCodes.done
  }
  try {
    const command = await commands[name]()
    return await command(rest, program)
  } catch (error) {
    return complain(error, name)
  }
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(commands, word)

const unknownCommand = (word: string): UsageError =>
  new UsageError(`There is no command "${word}". The commands are ${Object.keys(commands).join(', ')}.`)

function complain(error: unknown, command?: string): ExitCode {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (error instanceof UsageError || isParseArgsError(error)) {
    process.stderr.write(`See: skilldock ${command === undefined ? '--help' : `${command} --help`}\n`)
    return exitCodes.usage
  }
  if (error instanceof ConfigError) return exitCodes.usage
  if (error instanceof Error && error.name === 'CertificateError') return exitCodes.usage
  if (error instanceof Error && error.name === 'FolderInUseError') return exitCodes.inUse
  if (error instanceof Error && error.name === 'PortError') return exitCodes.inUse
  if (!(error instanceof DomainError) && error instanceof Error && !isExpected(error)) {
    process.stderr.write(`${error.stack ?? ''}\n`)
  }
  return exitCodes.failed
}

function isParseArgsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** Errors of the system carry a code and say enough without a stack. */
function isExpected(error: Error): boolean {
  return (
    'code' in error ||
    ['NewerDatabaseError', 'DamagedKeyError'].includes(error.name) ||
    error.name === 'Refusal'
  )
}
