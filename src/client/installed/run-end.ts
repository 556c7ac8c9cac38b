import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { formatBinarySize } from '../../shared/findings/check.ts'
import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { exitCodes } from '../exit-codes.ts'
import { plainLine } from '../terminal/terminal.ts'

/** The system would truncate a higher code to its low 8 bits. */
const highestExitCode = 255

export function exitCodeOf({ end, exitCode }: SandboxRun): number {
  if (end === 'exited') return Math.min(exitCode ?? 0, highestExitCode)
  if (end === 'time-limit') return exitCodes.timeLimit
  return end === 'trapped' ? exitCodes.trapped : exitCodes.notRun
}

/** Why a run did not end normally and what to do about it; null if the module exited. */
export function explainEnd(
  name: string,
  { end, detail }: SandboxRun,
  limits: RunLimits,
): { sentence: string; next: string | null } | null {
  const reason = plainLine(detail ?? '')
  switch (end) {
    case 'exited':
      return null
    case 'trapped':
      return { sentence: `${name} trapped: ${reason}.`, next: null }
    case 'time-limit':
      return {
        sentence: `${name} was stopped at its time limit of ${limits.timeMs / 1000} s.`,
        next: `Set a higher limit, such as --timeout ${Math.ceil(limits.timeMs / 500)}s`,
      }
    case 'memory-limit':
      return {
        sentence: `${name} exceeded its memory limit of ${formatBinarySize(limits.memoryBytes)}.`,
        next: moreMemory(limits),
      }
    case 'output-limit':
      return {
        sentence: `${name} was stopped: it wrote more than ${formatBinarySize(limits.outputBytes)} to ${reason}.`,
        next: `Set a higher limit with --output MIB (at most 64)`,
      }
    default:
      return {
        sentence: `${name} was not run. ${reason.replace(/ Not run\.$/, '')}`,
        next: /^Needs [\d.]+ MiB/.test(reason) ? moreMemory(limits) : null,
      }
  }
}

const moreMemory = ({ memoryBytes }: RunLimits): string =>
  `Set a higher limit, such as --memory ${Math.min((memoryBytes / 1_048_576) * 2, 4096)}`
