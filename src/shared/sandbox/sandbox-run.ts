import type { RunEnd, RunLimits } from '../contracts/evidence.ts'

export const defaultRunLimits: RunLimits = {
  timeMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  outputBytes: 1024 * 1024,
}

/** What a run is given. The time limit is with whoever owns the worker, for nothing else can end a loop. */
export interface SandboxOrder {
  bytes: Uint8Array<ArrayBuffer>
  stdin: Uint8Array
  /** Without the program's own name. */
  args: readonly string[]
  limits: Pick<RunLimits, 'memoryBytes' | 'outputBytes'>
}

/** A function of preview 1 with how often it was called, and how often it answered with an error. */
export interface CallCount {
  name: string
  count: number
  refused: number
}

/** What was seen of a run up to some moment. */
export interface RunSnapshot {
  /** In the order in which they were first called. */
  calls: CallCount[]
  /** Names of files that it asked for, the first 20 of them; none is there. */
  paths: { name: string; path: string }[]
  peakMemoryBytes: number
  stdoutBytes: number
  stderrBytes: number
}

/** Told while a run goes on; the output is what was written since it was told before. */
export interface RunProgress extends RunSnapshot {
  moreStdout: Uint8Array<ArrayBuffer>
  moreStderr: Uint8Array<ArrayBuffer>
}

/** All that was seen of a run that has ended. */
export interface SandboxRun extends RunSnapshot {
  end: RunEnd
  exitCode: number | null
  /** What a trap or a refusal says. */
  detail: string | null
  /** Up to the limit; what it wrote past it is not kept. */
  stdout: Uint8Array<ArrayBuffer>
  stderr: Uint8Array<ArrayBuffer>
  /** From its instantiation to its end, without the time in which it was compiled. */
  timeMs: number
  /** Whether the maximum of its memory was lowered to the limit. */
  clamped: boolean
}
