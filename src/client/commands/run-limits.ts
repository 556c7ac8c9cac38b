import { withDefault } from '../../shared/command-line/command-table.ts'
import type { OptionSpecs } from '../../shared/command-line/command-table.ts'
import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { defaultRunLimits } from '../../shared/sandbox/run-limits.ts'
import { usageError } from '../client-error.ts'
import type { Options } from '../command.ts'
import { maxMemoryMebibytes } from '../installed/run-end.ts'
import { readDuration } from '../terminal/read-duration.ts'
import { texts } from './commands.texts.ts'

const mebibyte = 1_048_576
const defaultOutput = 16

/** The options that limit a run. */
export const limitOptions: OptionSpecs = {
  timeout: {
    type: 'string',
    value: 'TIME',
    help: withDefault('time limit, such as 30s or 5m', `${defaultRunLimits.timeMs / 1000}s`),
  },
  memory: {
    type: 'string',
    value: 'MIB',
    help: withDefault(`memory limit, 1 to ${maxMemoryMebibytes}`, defaultRunLimits.memoryBytes / mebibyte),
  },
  output: {
    type: 'string',
    value: 'MIB',
    help: withDefault('output limit for each stream, 1 to 64', defaultOutput),
  },
}

/** The limits from the command line. Throws if one is invalid. */
export function readLimits(options: Options): RunLimits {
  const timeout = options.text('timeout')
  return {
    timeMs: timeout === undefined ? defaultRunLimits.timeMs : readDuration('--timeout', timeout),
    memoryBytes: readMebibytes(options, 'memory', maxMemoryMebibytes) ?? defaultRunLimits.memoryBytes,
    outputBytes: readMebibytes(options, 'output', 64) ?? defaultOutput * mebibyte,
  }
}

function readMebibytes(options: Options, name: string, max: number): number | null {
  const text = options.text(name)
  if (text === undefined) return null
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= max) return value * mebibyte
  throw usageError(texts.run.mebibytes(name, max))
}
