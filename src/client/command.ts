import type { Readable } from 'node:stream'
import type { ClientConfig } from './config.ts'
import type { Registry } from './registry/registry.ts'
import type { Stream, Terminal } from './terminal/terminal.ts'

export interface OptionSpec {
  type: 'string' | 'boolean'
  short?: string
}

/** Of the options that a command declares, what was written; a flag that was not is false. */
export interface Options {
  text(name: string): string | undefined
  flag(name: string): boolean
}

/** What every command is given. */
export interface Context {
  config: ClientConfig
  /** The folder that it was called in. */
  folder: string
  stdin: Readable & { isTTY?: boolean }
  /** For what a module writes, and for nothing else: all that this program says goes through a terminal. */
  stdout: Stream
  stderr: Stream
  /** For people: standard error while it works; what it prints at the end goes to standard output. */
  terminal: Terminal
  /** Whether standard output holds one JSON document and nothing else. */
  isJson: boolean
  /** The registry that was asked for. Throws where its address is none that may be used. */
  registry(): Registry
  /** The registry at an address that a file names, without any token. Throws as `registry` does. */
  registryAt(address: string): Registry
  /** The file of this program, which a process of its own starts from. */
  program: string
  /** Aborted by Ctrl+C. */
  signal: AbortSignal
}

/** What a command has done. */
export interface Result {
  /** The one document of `--json`. */
  data: unknown
  /** The same for people; it may be nothing where all has been said. */
  print(terminal: Terminal): void
  /** 0 without it. */
  exitCode?: number
}

export interface Command {
  name: string
  /** One line in `skill --help`. */
  summary: string
  /** What stands behind `skill NAME` in its usage, such as `NAME[@VERSION] [--frozen]`. */
  usage: string
  /** The text of `skill NAME --help` below its usage; options, examples and what happens. */
  help: string
  options: Record<string, OptionSpec>
  /** How many words it takes beside its options. */
  words: { min: number; max: number }
  run(context: Context, words: readonly string[], options: Options): Promise<Result>
}
