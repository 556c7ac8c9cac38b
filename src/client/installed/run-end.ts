import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { formatBinarySize } from '../../shared/findings/define-check.ts'
import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { exitCodes } from '../exit-codes.ts'
import { maxDurationMs } from '../terminal/read-duration.ts'
import { texts } from './installed.texts.ts'
import { plainLine } from '../terminal/terminal.ts'

/** The largest memory limit, which is what a 32-bit module can address. */
export const maxMemoryMebibytes = 4096

/** The system would truncate a higher code to its low 8 bits. */
const highestExitCode = 255

export function exitCodeOf({ end, exitCode }: SandboxRun): number {
  if (end === 'exited') return Math.min(exitCode ?? 0, highestExitCode)
  if (end === 'time-limit') return exitCodes.timeLimit
  return end === 'trapped' ? exitCodes.trapped : exitCodes.notRun
}

/** A higher limit to try, or null at the maximum. */
const double = (limit: number, max: number): number | null =>
  limit < max ? Math.min(Math.ceil(limit * 2), max) : null

/** Why a run did not end normally and what to do about it; null if the module exited. */
export function explainEnd(
  name: string,
  { end, detail }: SandboxRun,
  limits: RunLimits,
): { sentence: string; next: string | null } | null {
  const reason = plainLine(detail ?? '')
  const { timeMs, memoryBytes, outputBytes } = limits
  const higher = double(memoryBytes / 1_048_576, maxMemoryMebibytes)
  const seconds = timeMs / 1000
  switch (end) {
    case 'exited':
      return null
    case 'trapped':
      return texts.runEnd.trapped(name, reason)
    case 'time-limit':
      return texts.runEnd.timeLimit(name, seconds, double(seconds, maxDurationMs / 1000))
    case 'memory-limit':
      return texts.runEnd.memoryLimit(name, formatBinarySize(memoryBytes), higher)
    case 'output-limit':
      return texts.runEnd.outputLimit(name, formatBinarySize(outputBytes), reason)
    default:
      return texts.runEnd.notRun(
        name,
        reason.replace(/ Not run\.$/, ''),
        /^Needs [\d.]+ MiB/.test(reason) ? higher : null,
      )
  }
}
