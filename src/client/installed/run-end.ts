import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { inBinary } from '../../shared/findings/check.ts'
import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { exitCodes } from '../exit-codes.ts'
import { plainLine } from '../terminal/terminal.ts'

/** Higher ones do not fit into the status of a process, which would be some other one then. */
const highestExitCode = 255

export function exitCodeOf({ end, exitCode }: SandboxRun): number {
  if (end === 'exited') return Math.min(exitCode ?? 0, highestExitCode)
  if (end === 'time-limit') return exitCodes.timeLimit
  return end === 'trapped' ? exitCodes.trapped : exitCodes.notRun
}

/** Why a run did not end by itself, and what to do about it; null where it did. */
export function reachedLimit(
  name: string,
  { end, detail }: SandboxRun,
  limits: RunLimits,
): { sentence: string; next: string | null } | null {
  const because = plainLine(detail ?? '')
  switch (end) {
    case 'exited':
      return null
    case 'trapped':
      return { sentence: `${name} trapped: ${because}.`, next: null }
    case 'time-limit':
      return {
        sentence: `${name} was ended at its time limit of ${limits.timeMs / 1000} s.`,
        next: `Give it more time with --timeout, such as --timeout ${Math.ceil(limits.timeMs / 500)}s`,
      }
    case 'memory-limit':
      return {
        sentence: `${name} wanted more memory than its limit of ${inBinary(limits.memoryBytes)}.`,
        next: moreMemory(limits),
      }
    case 'output-limit':
      return {
        sentence: `${name} was ended: it wrote more than ${inBinary(limits.outputBytes)} to ${because}.`,
        next: `Let it write more with --output MIB, at most 64`,
      }
    default:
      return {
        sentence: `${name} was not run. ${because.replace(/ Not run\.$/, '')}`,
        next: /^Wants [\d.]+ MiB/.test(because) ? moreMemory(limits) : null,
      }
  }
}

const moreMemory = ({ memoryBytes }: RunLimits): string =>
  `Give it more with --memory, such as --memory ${Math.min((memoryBytes / 1_048_576) * 2, 4096)}`
