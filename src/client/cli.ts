import { parseArgs } from 'node:util'
import type { Readable } from 'node:stream'
import { builtInRegistry } from './registry/built-in-registry.ts'
import { ClientError, usageError } from './client-error.ts'
import { argumentProblem } from '../shared/text.ts'
import { texts } from './client.texts.ts'
import type { Command, Context, Result } from './command.ts'
import { commandLoaders, loadAllCommands } from './commands/command-loaders.ts'
import type { ClientConfig } from './config.ts'
import { readCredential } from './sign-in/credentials.ts'
import { exitCodes } from './exit-codes.ts'
import { commandHelp, commonOptions, generalHelp } from './terminal/help.ts'
import { defaultIdleTimeoutMs, totalTimeoutFactor } from './registry/http.ts'
import { readRegistryAddress } from './registry/registry-address.ts'
import { createRegistry } from './registry/registry.ts'
import { createTerminal, plain, plainJson } from './terminal/terminal.ts'
import type { Stream, Terminal } from './terminal/terminal.ts'
import { toClientError } from './to-client-error.ts'
import { readToken } from './sign-in/token.ts'
import { clientVersion } from './version.ts'

/** What the process provides to the command line. */
interface ProcessContext {
  config: ClientConfig
  /** The working directory; null if it has been removed. */
  folder: string | null
  stdin: Readable & { isTTY?: boolean }
  stdout: Stream
  stderr: Stream
  /** The file of this program. */
  program: string
  signal: AbortSignal
}

/** Runs a command line and resolves to the exit code, after all output has been written. */
export async function runCommandLine(args: readonly string[], host: ProcessContext): Promise<number> {
  const out = createTerminal(host.stdout, host.config.colors)
  const err = createTerminal(host.stderr, host.config.colors)
  const isJson = args.slice(0, endOfOptions(args)).includes('--json')
  try {
    const result = await run(args, host, out, err, isJson)
    if (isJson) host.stdout.write(`${plainJson(result.data)}\n`)
    else result.print(out)
    return result.exitCode ?? exitCodes.done
  } catch (error) {
    err.status('')
    const clientError = toClientError(error, host.signal)
    if (isJson) host.stdout.write(`${plainJson({ error: describe(clientError) })}\n`)
    else printError(err, clientError)
    return clientError.exitCode
  }
}

const endOfOptions = (args: readonly string[]): number => {
  const end = args.indexOf('--')
  return end < 0 ? args.length : end
}

async function run(
  args: readonly string[],
  host: ProcessContext,
  out: Terminal,
  err: Terminal,
  isJson: boolean,
): Promise<Result> {
  const [first, ...rest] = moveGlobalOptions(args)
  if (first === undefined || first === '--help' || first === '-h')
    return textResult(generalHelp(out, await loadAllCommands()))
  if (first === '--version') return version
  if (first === 'help') return textResult(await helpFor(out, moveGlobalOptions(rest)[0]))
  const command = await findCommand(first)
  const { positionals, values } = parseOptions(command, rest)
  if (values['help'] === true) return textResult(commandHelp(out, command))
  if (values['version'] === true) return version
  const { min, max } = command.positionals ?? { min: 0, max: 0 }
  if (positionals.length < min || positionals.length > max) {
    const { missingArgument, tooManyArguments } = texts.commandLine
    throw wrongUsage(positionals.length < min ? missingArgument : tooManyArguments, command)
  }
  const context = createContext(host, err, isJson, values['registry'] as string | undefined)
  return command.run(context, positionals, {
    text: (name) => values[name] as string | undefined,
    flag: (name) => values[name] === true,
  })
}

/** Moves global options from before the command name to after it. */
function moveGlobalOptions(args: readonly string[]): string[] {
  const lengths = new Map([
    ['--json', 1],
    ['--registry', 2],
  ])
  let options = 0
  for (let length = 0; ; options += length) {
    const arg = args[options] ?? ''
    length = arg.startsWith('--registry=') ? 1 : (lengths.get(arg) ?? 0)
    if (length === 0) break
  }
  const [name, ...rest] = args.slice(options)
  return name === undefined ? [] : [name, ...args.slice(0, options), ...rest]
}

const version: Result = {
  data: { version: clientVersion },
  print: (terminal) => terminal.line(clientVersion),
}

const textResult = (help: string): Result => ({ data: { help }, print: (terminal) => terminal.line(help) })

async function findCommand(name: string): Promise<Command> {
  const load = commandLoaders.get(name)
  if (load !== undefined) return load()
  throw usageError(texts.commandLine.unknownCommand(plain(name)))
}

async function helpFor(out: Terminal, name: string | undefined): Promise<string> {
  return name === undefined
    ? generalHelp(out, await loadAllCommands())
    : commandHelp(out, await findCommand(name))
}

function parseOptions(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...commonOptions, ...command.options },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw wrongUsage(plain(argumentProblem(error)), command)
  }
}

const wrongUsage = (sentence: string, { name, usage }: Command): ClientError =>
  usageError(texts.commandLine.wrongUsage(sentence, name, usage[0] ?? ''))

function createContext(
  host: ProcessContext,
  terminal: Terminal,
  isJson: boolean,
  registryOption: string | undefined,
): Context {
  const { config, signal } = host
  const address = registryOption ?? config.registry ?? builtInRegistry
  const idleTimeoutMs = readTimeout(config.timeout)
  const options = {
    signal,
    idleTimeoutMs,
    totalTimeoutMs: idleTimeoutMs * totalTimeoutFactor,
    signIn: signInWith(config, registryOption),
    onWait: (reason: string, ms: number) =>
      terminal.note(texts.environment.waiting(reason, Math.ceil(ms / 1000))),
  }
  return {
    config,
    get folder() {
      if (host.folder !== null) return host.folder
      throw new ClientError(exitCodes.failed, texts.environment.noFolder, { code: 'NO_FOLDER' })
    },
    stdin: host.stdin,
    stdout: host.stdout,
    stderr: host.stderr,
    program: host.program,
    terminal,
    isJson,
    signal,
    registry() {
      if (address === null) {
        throw new ClientError(exitCodes.usage, texts.environment.noRegistry, { code: 'REGISTRY_ADDRESS' })
      }
      const url = readRegistryAddress(address)
      return createRegistry(url, () => tokenFor(config, url), options)
    },
    registryAt(text) {
      const at = config.mirror === null ? undefined : readRegistryAddress(config.mirror)
      return createRegistry(readRegistryAddress(text), () => Promise.resolve(null), options, at)
    },
  }
}

async function tokenFor(config: ClientConfig, registry: URL): Promise<string | null> {
  if (config.token !== null) return readToken(config.token, texts.environment.token)
  return (await readCredential(config, registry))?.token ?? null
}

/** How to sign in to this registry. SKILL_TOKEN takes precedence over a saved token, so it must be changed first. */
function signInWith({ token }: ClientConfig, registryOption: string | undefined): string {
  const login = registryOption === undefined ? 'skill login' : `skill login --registry ${registryOption}`
  const { signIn, changeToken } = texts.environment
  return token === null ? signIn(login) : changeToken(login)
}

function readTimeout(text: string | null): number {
  if (text === null) return defaultIdleTimeoutMs
  const seconds = Number(text)
  if (seconds >= 0.1 && seconds <= 3600) return seconds * 1000
  throw usageError(texts.environment.timeout(plain(text)))
}

const describe = ({ exitCode, message, code, next, issues, retryAfter }: ClientError): object => ({
  message,
  code,
  exitCode,
  next,
  issues,
  retryAfter,
})

/** Escapes everything: arguments, file names and a registry's responses may contain control characters. */
function printError(err: Terminal, { message, issues, next }: ClientError): void {
  err.line(`${err.style('red', 'skill:')} ${plain(message)}`)
  // The message already includes the first issue.
  for (const { path, message: issue } of issues.slice(1)) err.line(plain(`  ${path} ${issue}`))
  if (next !== null) err.line(plain(next))
}
