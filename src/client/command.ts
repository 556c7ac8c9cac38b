import type { Readable } from 'node:stream'
import type { CommandEntry } from '../shared/command-line/command-table.ts'
import type { ClientConfig } from './config.ts'
import type { Registry } from './registry/registry.ts'
import type { Stream, Terminal } from './terminal/terminal.ts'

/** The parsed options of a command. A flag that was not given is false. */
export interface Options {
  text(name: string): string | undefined
  flag(name: string): boolean
}

/** What every command receives. */
export interface Context {
  config: ClientConfig
  /** The working directory. Throws if it has been removed. */
  folder: string
  stdin: Readable & { isTTY?: boolean }
  /** Only for the output of a module. The client's own messages are written through a `Terminal`. */
  stdout: Stream
  stderr: Stream
  /** Standard error, for progress messages. The result is printed to standard output at the end. */
  terminal: Terminal
  /** Whether `--json` was given: standard output is exactly one JSON document. */
  isJson: boolean
  /** The configured registry. Throws if it is missing or its address is invalid. */
  registry(): Registry
  /**
   * The registry at an address from a lock file, or the mirror that the environment names in its place; used without a
   * token. Throws if an address is invalid.
   */
  registryAt(address: string): Registry
  /** Path of this program, used to start child processes. */
  program: string
  /** Aborted by Ctrl+C and SIGTERM. */
  signal: AbortSignal
}

export interface Result {
  /** The document printed with `--json`. */
  data: unknown
  /** Prints the result as text. */
  print(terminal: Terminal): void
  /** Defaults to 0. */
  exitCode?: number
}

export interface Command extends CommandEntry {
  /** How many positional arguments it accepts (default: none). */
  positionals?: { min: number; max: number }
  run(context: Context, positionals: readonly string[], options: Options): Promise<Result>
}
