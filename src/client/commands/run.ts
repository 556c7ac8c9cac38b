import { basename, join, resolve } from 'node:path'
import { skillNameSchema } from '../../shared/contracts/manifest.ts'
import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { runInChild } from '../child/run-in-child.ts'
import { ClientError, usageError } from '../client-error.ts'
import type { Command, Context, Result } from '../command.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from '../exit-codes.ts'
import { readInstalled } from '../installed/installed-skills.ts'
import { findLock, lockFileName, lockedIn } from '../installed/lock-file.ts'
import { createModuleOutput } from '../installed/module-output.ts'
import { limitOptions, readLimits } from './run-limits.ts'
import { readModuleFile } from '../project/project.ts'
import { readInput } from '../project/read-input.ts'
import { describeRun } from '../installed/run-document.ts'
import { exitCodeOf, explainEnd } from '../installed/run-end.ts'
import { plainLine } from '../terminal/terminal.ts'
import { isInterrupted, toClientError } from '../to-client-error.ts'

/** Runs an installed skill or a local module. */
export const runCommand: Command = {
  name: 'run',
  summary: 'Run an installed skill in a sandbox without files, network or environment',
  usage: ['(NAME | --wasm FILE) [--timeout TIME] [--memory MIB] [--output MIB] [--raw] [-- ARGUMENTS…]'],
  about: `Runs the skill locked in the nearest ${lockFileName}, after verifying its SHA-256. It reads standard input and
writes standard output and standard error. It has no access to files, network or environment, and runs in its
own process, which is killed at its limits. The clock and random numbers are real.`,
  options: {
    wasm: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'run this module instead of an installed skill',
    },
    ...limitOptions,
    raw: { type: 'boolean', help: 'do not escape control characters on a terminal (see below)' },
  },
  notes: `With --raw, the module's output can do whatever the terminal lets a program do. With --json, the output and details
of the run are printed as one JSON document when it has ended.

Exits with the module's exit code (255 if it is higher), 124 at the time limit, 125 at another limit or if the
module could not be run, and 134 if it trapped.

  skill run csv-to-json < table.csv
  skill run csv-to-json --timeout 60s --memory 256 < large.csv > large.json
  skill run --wasm build/my-skill.wasm -- --an-argument < input.txt`,
  positionals: { min: 0, max: 10_000 },
  async run(context, positionals, options) {
    const limits = readLimits(options)
    const file = options.text('wasm')
    const [name, ...rest] = positionals
    if (file === undefined && name === undefined) throw usageError(texts.run.noName)
    try {
      return await (file === undefined
        ? runLocked(context, skillNameIn(name ?? ''), rest, limits, options.flag('raw'))
        : runFile(context, file, positionals, limits, options.flag('raw')))
    } catch (error) {
      throw asNotRun(toClientError(error, context.signal))
    }
  },
}

const skillNameIn = (name: string): string => {
  if (skillNameSchema.safeParse(name).success) return name
  throw usageError(texts.run.invalidName(plainLine(name)))
}

/** Replaces exit codes that could be mistaken for the module's own. */
function asNotRun(error: ClientError): ClientError {
  const { exitCode, message, code, next, issues } = error
  if (exitCode === exitCodes.usage || isInterrupted(error)) return error
  return new ClientError(exitCodes.notRun, { sentence: message, next }, { code, issues, cause: error })
}

async function runLocked(
  context: Context,
  name: string,
  args: readonly string[],
  limits: RunLimits,
  isRaw: boolean,
): Promise<Result> {
  const found = await findLock(context.folder)
  const locked = found === null ? undefined : lockedIn(found.lock, name)
  if (found === null || locked === undefined) {
    const lockFile = found === null ? null : join(found.folder, lockFileName)
    throw new ClientError(exitCodes.notRun, texts.run.notInstalled(name, lockFile), {
      code: 'NOT_INSTALLED',
    })
  }
  const module = await readInstalled(found.folder, name, locked)
  if (typeof module === 'string') {
    throw new ClientError(exitCodes.notRun, texts.run[module](name), { code: 'NOT_THE_LOCKED' })
  }
  return runModule(context, { name, version: locked.version, module, args, limits, isRaw })
}

async function runFile(
  context: Context,
  file: string,
  args: readonly string[],
  limits: RunLimits,
  isRaw: boolean,
): Promise<Result> {
  const module = await readModuleFile(resolve(context.folder, file))
  return runModule(context, { name: basename(file), version: null, module, args, limits, isRaw })
}

interface RunRequest {
  name: string
  version: string | null
  module: Buffer<ArrayBuffer>
  args: readonly string[]
  limits: RunLimits
  isRaw: boolean
}

async function runModule(context: Context, requested: RunRequest): Promise<Result> {
  const { name, version, module, args, limits, isRaw } = requested
  const { signal, program, isJson, stdout, stderr, terminal } = context
  const stdin = await readInput(context, module)
  const outputs = {
    stdout: createModuleOutput(stdout, isRaw),
    stderr: createModuleOutput(stderr, isRaw),
  }
  const run = await runInChild({
    module,
    stdin,
    args,
    limits,
    signal,
    program,
    onOutput(stream, bytes) {
      if (!isJson) outputs[stream].write(bytes)
    },
  })
  outputs.stdout.end()
  outputs.stderr.end()
  const end = explainEnd(plainLine(name), run, limits)
  return {
    data: { name, version, ...describeRun(run), message: end?.sentence ?? null },
    exitCode: exitCodeOf(run),
    print() {
      if (end === null) return
      terminal.line(`${terminal.style('red', 'skill:')} ${end.sentence}`)
      if (end.next !== null) terminal.line(end.next)
    },
  }
}
